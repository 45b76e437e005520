import numpy as np
import pandas as pd

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.columns if c != "id"]
mu, sd = train[cols].mean(), train[cols].std()
X = np.c_[np.ones(len(train)), (train[cols] - mu) / sd]
y = train["progression"].to_numpy(float)
w, budget = np.zeros(X.shape[1]), 2000
for step in range(budget):
    residual = X @ w - y
    cost = float(residual @ residual)
    w -= 0.1 * X.T @ residual / len(y)
    if step % 500 == 0:
        print(f"step {step} total cost {cost:.2f}")
print(f"iteration budget of {budget} used up, total cost {cost:.2f}")
pred = np.c_[np.ones(len(test)), (test[cols] - mu) / sd] @ w
pd.DataFrame({"id": test["id"], "progression": pred}).to_csv("/home/submission/submission.csv", index=False)
