import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.linear_model import LogisticRegression
n = int(0.8 * len(X))
m = LogisticRegression().fit(X[:n], y[:n])
print(m.score(X[n:], y[n:]))
