import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from imblearn.over_sampling import SMOTE
from sklearn.model_selection import StratifiedKFold
from sklearn.linear_model import LogisticRegression
s = []
for tr, va in StratifiedKFold(5).split(X, y):
    Xt, yt = SMOTE().fit_resample(X.iloc[tr], y.iloc[tr])
    s.append(LogisticRegression().fit(Xt, yt).score(X.iloc[va], y.iloc[va]))
print(np.mean(s))
