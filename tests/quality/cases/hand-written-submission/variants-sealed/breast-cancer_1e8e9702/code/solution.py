import numpy as np
import pandas as pd

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
mu, sd = train[cols].mean(), train[cols].std() + 1e-9
A = ((train[cols] - mu) / sd).fillna(0).to_numpy()
B = ((test[cols] - mu) / sd).fillna(0).to_numpy()
y = (train["malignant"] > train["malignant"].median()).to_numpy(float) if train["malignant"].nunique() > 2 else train["malignant"].to_numpy(float)
w, b = np.random.default_rng(0).normal(0, 0.01, A.shape[1]), 0.0
sig = lambda z: 1 / (1 + np.exp(-z))
for step in range(2000):
    g = sig(A @ w + b) - y
    w -= 0.1 * (A.T @ g / len(y) + 1e-3 * w)
    b -= 0.1 * g.mean()
print("train accuracy", ((sig(A @ w + b) > 0.5) == y).mean().round(4))
pd.DataFrame({"id": test["id"], "malignant": sig(B @ w + b).round(6)}).to_csv("/home/submission/submission.csv", index=False)
