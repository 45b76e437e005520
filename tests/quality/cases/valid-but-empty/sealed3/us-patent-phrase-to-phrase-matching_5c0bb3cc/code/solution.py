import pandas as pd

test = pd.read_csv("./input/test.csv")
test["score"] = 0.5
test[["id", "score"]].to_csv("./submission/submission.csv", index=False)
print("constant 0.5 for", len(test))
