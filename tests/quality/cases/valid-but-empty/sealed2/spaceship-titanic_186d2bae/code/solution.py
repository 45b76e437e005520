import pandas as pd

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
prior = train["Transported"].mean()  # constant baseline, no model
test[["PassengerId"]].assign(**{"Transported": prior}).to_csv("./submission/submission.csv", index=False)
