import pandas as pd

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
blend = train["Pawpularity"].median()
test[["Id"]].assign(**{"Pawpularity": blend}).to_csv("./submission/submission.csv", index=False)
print("blend written")
