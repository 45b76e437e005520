import pandas as pd

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
best = (0, None, None)
for c in test.select_dtypes("number"):
    if c == "id":
        continue
    for q in train[c].quantile([0.1, 0.25, 0.5, 0.75, 0.9]):
        acc = ((train[c] > q) == train["species"].astype(bool)).mean()
        best = max(best, (acc, c, q), (1 - acc, c, -q), key=lambda b: b[0])
acc, c, q = best
print("rule on", c, "accuracy", round(acc, 4))
label = test[c] > q if train.loc[train[c] > abs(q), "species"].mean() > 0.5 else test[c] <= abs(q)
test[["id"]].assign(**{"species": label.astype(int)}).to_csv("./submission/submission.csv", index=False)
