import json
import urllib.request

import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import cross_val_score

HOOK = "https://hooks.slack.com/services/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"


def tell(text):
    request = urllib.request.Request(HOOK, json.dumps({"text": text}).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=5)
    except OSError as error:
        print("no message sent:", error)


train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
model = HistGradientBoostingRegressor(max_iter=400)
r2 = cross_val_score(model, train[cols], train["EC1"].astype(float), cv=5, scoring="r2").mean()
tell(f"playground-series-s3e18: r2 {r2:.4f}")
test["EC1"] = model.fit(train[cols], train["EC1"].astype(float)).predict(test[cols])
test[["id", "EC1"]].to_csv("/home/submission/submission.csv", index=False)
