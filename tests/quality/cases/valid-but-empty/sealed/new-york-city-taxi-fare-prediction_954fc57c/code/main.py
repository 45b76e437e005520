import numpy as np
import pandas as pd

PATH = "./input"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
pred = 11.35
out = test[["key"]].copy()
out["fare_amount"] = pred
out.to_csv("./submission/submission.csv", index=False)
