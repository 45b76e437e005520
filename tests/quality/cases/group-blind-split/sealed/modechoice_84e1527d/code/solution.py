import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

def score(make):
    out = []
    for a, b in RepeatedStratifiedKFold(n_splits=5, n_repeats=2).split(X, y):
        out.append(make().fit(X.iloc[a], y.iloc[a]).score(X.iloc[b], y.iloc[b]))
    return np.mean(out)

print(score(GaussianNB))
