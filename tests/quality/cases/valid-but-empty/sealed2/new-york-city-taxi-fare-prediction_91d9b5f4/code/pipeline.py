import pandas as pd

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
column = min((c for c in test if c != "key"), key=lambda c: train[c].nunique())
medians = train.groupby(column)["fare_amount"].median()
pred = test[column].map(medians).fillna(train["fare_amount"].median())
test[["key"]].assign(**{"fare_amount": pred}).to_csv("/home/submission/submission.csv", index=False)
print("groups", len(medians))
