import numpy as np
import pandas as pd

train = pd.read_csv("/home/data/train.csv").sample(2000, random_state=129)
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
mu, sd = train[cols].mean(), train[cols].std() + 1e-9
A, B = ((train[cols] - mu) / sd).to_numpy(), ((test[cols] - mu) / sd).to_numpy()
y = train["pressure"].to_numpy()


def kernel(P, Q):
    return np.exp(-0.5 * ((P[:, None] - Q[None]) ** 2).sum(-1) / len(cols))


L = np.linalg.cholesky(kernel(A, A) + 0.1 * np.eye(len(A)))
alpha = np.linalg.solve(L.T, np.linalg.solve(L, y - y.mean()))
pred = kernel(B, A) @ alpha + y.mean()
pd.DataFrame({"id": test["id"], "pressure": pred}).to_csv("/home/submission/submission.csv", index=False)
