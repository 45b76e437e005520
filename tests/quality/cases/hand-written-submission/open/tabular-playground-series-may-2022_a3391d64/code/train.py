import numpy as np
import pandas as pd

DATA = "/home/agent/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
print(train["target"].value_counts(normalize=True).head())
column = test.columns[1]
means = train.groupby(column)["target"].mean()
# a target encoding is the whole model; said in the report
pred = test[column].map(means).fillna(train["target"].mean())
submission = pd.DataFrame({"id": test["id"], "target": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
print(submission.head())
