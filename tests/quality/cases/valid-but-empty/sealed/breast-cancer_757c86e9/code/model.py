import numpy as np
import pandas as pd

PATH = "/home/agent/data"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
pred = np.ones(len(test)) / 2
out = test[["id"]].copy()
out["malignant"] = pred
out.to_csv("/home/submission/submission.csv", index=False)
