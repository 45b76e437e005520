import numpy as np
import pandas as pd

PATH = "/home/data"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
pred = (train["EC1"] == 1).mean()
out = test[["id"]].copy()
out["EC1"] = pred
out.to_csv("./submission/submission.csv", index=False)
