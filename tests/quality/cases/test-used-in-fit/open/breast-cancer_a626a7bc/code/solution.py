import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
sc = StandardScaler().fit(pd.concat([X, test.drop(columns=['id'])]))
m = LogisticRegression().fit(sc.transform(X), y)
print(m.predict(sc.transform(test.drop(columns=['id'])))[:3])
