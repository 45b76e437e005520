import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from catboost import CatBoostRegressor
X1, X2, y1, y2 = train_test_split(X, y)
cb = CatBoostRegressor(early_stopping_rounds=100)
cb.fit(X1, y1, eval_set=(X2, y2))
print('r2', cb.score(X2, y2))
