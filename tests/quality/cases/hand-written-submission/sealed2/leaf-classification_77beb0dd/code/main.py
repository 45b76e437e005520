import numpy as np
import pandas as pd

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
X = np.c_[np.ones(len(train)), train[cols].fillna(0).rank(pct=True)]
Z = np.c_[np.ones(len(test)), test[cols].fillna(0).rank(pct=True)]
y, w = train["species"].to_numpy(float), np.zeros(X.shape[1])
for step in range(3000):
    p = 1 / (1 + np.exp(-X @ w))
    w -= 0.5 * (X.T @ (p - y) / len(y) + 1e-3 * w)
print("training log loss", -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)).round(4))
pred = 1 / (1 + np.exp(-Z @ w))
test[["id"]].assign(**{"species": pred}).to_csv("./submission/submission.csv", index=False)
