import pandas as pd

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
test["fare_amount"] = train["fare_amount"].median()
test[["key", "fare_amount"]].to_csv("./submission/submission.csv", index=False)
