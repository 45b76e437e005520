import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier
b = BorutaPy(RandomForestClassifier())
b.fit(X.values, y.values)
Xb = b.transform(X.values)
X1, X2, y1, y2 = train_test_split(Xb, y)
rf = RandomForestClassifier().fit(X1, y1)
print(rf.score(X2, y2))
