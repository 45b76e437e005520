import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import KFold
from sklearn.linear_model import LogisticRegression
for tr, va in KFold(5, shuffle=True).split(X):
    m = LogisticRegression().fit(X.iloc[tr], y.iloc[tr])
    print(m.score(X.iloc[va], y.iloc[va]))
