import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import GroupShuffleSplit
from sklearn.linear_model import LogisticRegression
a, b = next(GroupShuffleSplit(1, test_size=0.2).split(X, y, groups=df['individual']))
print(LogisticRegression().fit(X.iloc[a], y.iloc[a]).score(X.iloc[b], y.iloc[b]))
