import numpy as np
import pandas as pd

DATA = "./input"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
pred = 0.5
submission = pd.DataFrame({"id": test["id"], "choice": pred})
submission.to_csv("./submission/submission.csv", index=False)
