import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.ensemble import ExtraTreesClassifier
cv = StratifiedGroupKFold(5, shuffle=True)
for a, b in cv.split(X, y, df['individual']):
    print(ExtraTreesClassifier().fit(X.iloc[a], y.iloc[a]).score(X.iloc[b], y.iloc[b]))
