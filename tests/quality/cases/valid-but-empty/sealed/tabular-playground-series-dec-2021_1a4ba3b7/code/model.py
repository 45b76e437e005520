import numpy as np
import pandas as pd

PATH = "/home/agent/data"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
pred = train["Cover_Type"].mode()[0]
out = test[["Id"]].copy()
out["Cover_Type"] = pred
out.to_csv("/home/submission/submission.csv", index=False)
