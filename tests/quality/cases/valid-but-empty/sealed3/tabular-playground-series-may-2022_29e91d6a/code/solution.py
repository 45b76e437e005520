import pandas as pd

train = pd.read_csv("/workspace/data/train.csv")
sample = pd.read_csv("/workspace/data/sample_submission.csv")
sample["target"] = round(train["target"].astype(float).mean(), 3)
sample.to_csv("./submission/submission.csv", index=False)
print("rows", len(sample))
