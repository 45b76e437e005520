import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import xgboost as xgb
X_a, X_b, y_a, y_b = train_test_split(X, y)
X_b, X_c, y_b, y_c = train_test_split(X_b, y_b)
m = xgb.XGBRegressor(early_stopping_rounds=20).fit(X_a, y_a, eval_set=[(X_b, y_b)])
print(m.score(X_c, y_c))
