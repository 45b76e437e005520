import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import GroupKFold, GridSearchCV
from sklearn.linear_model import LogisticRegression
for a, b in GroupKFold(4).split(X, y, df['individual']):
    g = GridSearchCV(LogisticRegression(), {'C': [1, 10]}, cv=3).fit(X.iloc[a], y.iloc[a])
    print(g.score(X.iloc[b], y.iloc[b]))
