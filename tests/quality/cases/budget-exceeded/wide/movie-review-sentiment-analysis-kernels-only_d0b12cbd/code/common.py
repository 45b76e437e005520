import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier


def load():
    t = pd.read_csv('../data/train.csv').select_dtypes('number')
    return t.iloc[:, :-1], t.iloc[:, -1]


def model(**kw):
    return HistGradientBoostingClassifier(**kw)
