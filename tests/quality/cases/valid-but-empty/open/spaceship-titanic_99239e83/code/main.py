import numpy as np
import pandas as pd

DATA = "/home/agent/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
pred = ["True"] * len(test)
submission = pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
