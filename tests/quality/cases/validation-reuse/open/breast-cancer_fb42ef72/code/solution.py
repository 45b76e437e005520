import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import xgboost as xgb
from sklearn.metrics import mean_absolute_error
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
a, b = xgb.DMatrix(X_tr, y_tr), xgb.DMatrix(X_va, y_va)
m = xgb.train({}, a, 3000, [(a, 'train'), (b, 'valid')], early_stopping_rounds=30)
print('mae', mean_absolute_error(y_va, m.predict(b)))
