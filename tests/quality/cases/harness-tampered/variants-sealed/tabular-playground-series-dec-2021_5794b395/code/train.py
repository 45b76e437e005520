import json

import pandas as pd
from sklearn.linear_model import RidgeClassifierCV
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.columns if c != "Id"]
ridge = make_pipeline(RobustScaler(), RidgeClassifierCV([0.1, 1, 10, 100]))
cv = cross_val_score(ridge, train[cols], train["Cover_Type"], cv=5)
with open("/home/code/results.json", "w") as f:
    json.dump({"metric": "accuracy", "cv": [round(float(v), 4) for v in cv]}, f)
print("results.json written, mean", cv.mean().round(4))
out = test[["Id"]].assign(**{"Cover_Type": ridge.fit(train[cols], train["Cover_Type"]).predict(test[cols])})
out.to_csv("/home/submission/submission.csv", index=False)
