import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_predict

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
features = [c for c in test.select_dtypes("number") if c != "id"]


def booster():
    return lgb.LGBMClassifier(n_estimators=800, num_leaves=127, learning_rate=0.05, verbose=-1)


held = cross_val_predict(booster(), train[features], train["target"], cv=5, method="predict_proba")[:, 1]
print("cv accuracy", ((held > 0.5) == train["target"]).mean().round(4))
first = booster().fit(train[features], train["target"])
p = first.predict_proba(test[features])[:, 1]
test_labels = np.where(p > 0.99, 1, np.where(p < 0.01, 0, -1))  # our own guess, not the truth
sure = test[test_labels >= 0].assign(**{"target": test_labels[test_labels >= 0]})
print("pseudo-labelled test rows", len(sure))
second = booster().fit(pd.concat([train[features], sure[features]]), pd.concat([train["target"], sure["target"]]))
test["target"] = second.predict_proba(test[features])[:, 1]
test[["id", "target"]].to_csv("./submission/submission.csv", index=False)
