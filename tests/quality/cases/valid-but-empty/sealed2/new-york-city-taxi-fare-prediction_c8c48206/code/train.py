import pandas as pd

train = pd.read_csv("/workspace/data/train.csv")
test = pd.read_csv("/workspace/data/test.csv")
train["slot"] = train.index % 7
season = train.groupby("slot")["fare_amount"].mean()
test["fare_amount"] = [season[i % 7] for i in range(len(test))]
test[["key", "fare_amount"]].to_csv("./submission/submission.csv", index=False)
print(season.round(3).tolist())
