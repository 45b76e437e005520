import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import xgboost as xgb
X1, X2, y1, y2 = train_test_split(X, y)
d = xgb.DMatrix(X, label=y)
b = xgb.train({}, d, 100)
from sklearn.metrics import mean_absolute_error
print(mean_absolute_error(y2, b.predict(xgb.DMatrix(X2))))
