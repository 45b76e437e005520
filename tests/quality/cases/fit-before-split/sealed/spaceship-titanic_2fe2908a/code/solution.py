import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import lightgbm as lgb
from sklearn.impute import SimpleImputer
imp = SimpleImputer(strategy="median")
imp.fit(X)
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.25, random_state=7)
d_tr = lgb.Dataset(imp.transform(X_tr), label=y_tr)
d_va = lgb.Dataset(imp.transform(X_va), label=y_va)
booster = lgb.train({"objective": "binary"}, d_tr, num_boost_round=200)
p = booster.predict(imp.transform(X_va))
from sklearn.metrics import roc_auc_score
print("val", roc_auc_score(y_va, p))
