import pandas as pd

test = pd.read_csv("/home/data/test.csv")
test[["id"]].assign(**{"author": 0.5}).to_csv("/home/submission/submission.csv", index=False)
