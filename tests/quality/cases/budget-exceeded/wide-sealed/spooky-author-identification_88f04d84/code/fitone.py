import pandas as pd
from catboost import CatBoostClassifier
from sklearn.metrics import log_loss
t = pd.read_csv('/home/agent/data/train.csv')


def fit(f):
    i = t.index % 5 == f
    num = t.select_dtypes('number')
    m = CatBoostClassifier(iterations=4000, verbose=0).fit(num[~i].iloc[:, :-1], num[~i].iloc[:, -1])
    return log_loss(num[i].iloc[:, -1], m.predict_proba(num[i].iloc[:, :-1]))
