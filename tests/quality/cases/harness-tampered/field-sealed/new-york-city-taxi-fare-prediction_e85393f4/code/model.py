import json
import time
from pathlib import Path

import pandas as pd
from sklearn.linear_model import ElasticNetCV
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

start = time.time()
train, test = pd.read_csv("./input/train.csv").fillna(0), pd.read_csv("./input/test.csv").fillna(0)
cols = [c for c in test.select_dtypes("number") if c != "key"]
model = make_pipeline(StandardScaler(), ElasticNetCV(l1_ratio=[0.2, 0.8], cv=5))
scores = cross_val_score(model, train[cols], train["fare_amount"].astype(float), cv=5, scoring="r2")
test["fare_amount"] = model.fit(train[cols], train["fare_amount"].astype(float)).predict(test[cols])
test[["key", "fare_amount"]].to_csv("./submission/submission.csv", index=False)
report = {"metric": "r2", "score": round(float(scores.mean()), 4), "folds": scores.round(4).tolist(),
          "seconds": round(time.time() - start)}
Path("/tmp/score.json").write_text(json.dumps(report, indent=1))
print(report)
