import os
from pprint import pprint

import pandas as pd
from sklearn.ensemble import RandomForestClassifier

settings = {
    "data": "/home/data",
    "trees": 500,
    "tracker": {k: v for k, v in os.environ.items() if k.startswith("NEPTUNE")},
}
pprint(settings)
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
forest = RandomForestClassifier(settings["trees"], oob_score=True, n_jobs=-1, random_state=0)
forest.fit(train[cols].fillna(-1), train["target"])
print("oob", round(forest.oob_score_, 4))
test["target"] = forest.predict(test[cols].fillna(-1))
test[["id", "target"]].to_csv("./submission/submission.csv", index=False)
