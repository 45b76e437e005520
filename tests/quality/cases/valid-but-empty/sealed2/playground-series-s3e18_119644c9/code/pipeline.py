import pandas as pd

test = pd.read_csv("/home/data/test.csv")
test[["id"]].assign(**{"EC1": 0}).to_csv("./submission/submission.csv", index=False)
