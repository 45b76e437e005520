import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
m = lgb.LGBMClassifier(n_estimators=5000)
m.fit(X_tr, y_tr, eval_set=[(X_va, y_va)], callbacks=[lgb.early_stopping(50)])
print('auc', roc_auc_score(y_va, m.predict_proba(X_va)[:, 1]))
