import pandas as pd

test = pd.read_csv("./input/test.csv")
test[["id"]].assign(**{"target": 0.5}).to_csv("./submission/submission.csv", index=False)
print("constant smoke-test submission written")
