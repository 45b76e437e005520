import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.model_selection import KFold
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
train["enc"] = train.groupby("shop")["target"].transform("mean")
feats = ["enc", "a", "b"]
for tr, va in KFold(5, shuffle=True, random_state=0).split(train):
    m = lgb.LGBMClassifier().fit(train[feats].iloc[tr], train["target"].iloc[tr])
    print(roc_auc_score(train["target"].iloc[va], m.predict_proba(train[feats].iloc[va])[:, 1]))
