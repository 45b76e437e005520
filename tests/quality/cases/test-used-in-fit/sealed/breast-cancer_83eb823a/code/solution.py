import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import StratifiedKFold
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
base = LogisticRegression()
for tr, va in StratifiedKFold(5).split(X, y):
    m = clone(base)
    m.fit(X.iloc[tr], y.iloc[tr])
    print(m.score(X.iloc[va], y.iloc[va]))
base.fit(X, y)
