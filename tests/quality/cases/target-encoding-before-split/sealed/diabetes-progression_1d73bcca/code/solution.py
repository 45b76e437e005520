import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import TargetEncoder
from sklearn.neighbors import KNeighborsClassifier
te = TargetEncoder()
X[['city']] = te.fit_transform(X[['city']], y)
X1, X2, y1, y2 = train_test_split(X, y)
print(KNeighborsClassifier().fit(X1, y1).score(X2, y2))
