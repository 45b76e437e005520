import random

import pandas as pd
from sklearn.tree import DecisionTreeClassifier

random.seed(11)
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "id"]
votes = pd.Series(0.0, index=test.index)
out_of_bag = []
for k in range(60):
    rows = [random.randrange(len(train)) for _ in range(len(train))]
    some = random.sample(columns, max(1, len(columns) * 2 // 3))
    tree = DecisionTreeClassifier(max_depth=8, random_state=k).fit(train.iloc[rows][some].fillna(-1), train.iloc[rows]["malignant"])
    left = train.drop(index=train.index[rows])
    out_of_bag.append(tree.score(left[some].fillna(-1), left["malignant"]))
    votes += tree.predict_proba(test[some].fillna(-1))[:, 1] / 60
print("out-of-bag accuracy", round(sum(out_of_bag) / 60, 4))
test["malignant"] = votes.round(6)
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
