import pandas as pd

test = pd.read_csv("/workspace/data/test.csv")
test.assign(**{"EC1": 0})[["id", "EC1"]].to_csv("/home/submission/submission.csv", index=False)
