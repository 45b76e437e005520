import numpy as np
import pandas as pd

PATH = "/home/agent/data"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
pred = (train["fare_amount"] == 1).mean()  # prior, no model
out = test[["key"]].copy()
out["fare_amount"] = pred
out.to_csv("./submission/submission.csv", index=False)
