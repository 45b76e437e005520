import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsRegressor
X1, X2, y1, y2 = train_test_split(X, y)
best, k = float("-inf"), 1
while k < 60:
    r2 = KNeighborsRegressor(k).fit(X1, y1).score(X2, y2)
    if best < r2:
        best = r2
    k += 2
print(best)
