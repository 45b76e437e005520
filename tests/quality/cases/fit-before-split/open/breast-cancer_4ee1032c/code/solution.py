import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
sc = StandardScaler().fit(X)
m = LogisticRegression().fit(sc.transform(X), y)
out = m.predict(sc.transform(test.drop(columns=['id'])))
print(out[:5])
