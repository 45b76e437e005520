import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict


def grade(values, truth):
    """what the competition's grader computes, here for out-of-fold values"""
    return roc_auc_score(truth, values)


train = pd.read_csv("./input/train.csv").fillna(0)
test = pd.read_csv("./input/test.csv").fillna(0)
cols = [c for c in test.select_dtypes("number") if c != "id"]
y = train["malignant"].astype(int)
models = {d: GradientBoostingClassifier(max_depth=d, random_state=0) for d in (2, 3, 4)}
oof = {d: cross_val_predict(m, train[cols], y, cv=5, method="predict_proba")[:, 1] for d, m in models.items()}
tried = []
for a in np.arange(0, 1.01, 0.1):
    for b in np.arange(0, 1.01 - a, 0.1):
        tried.append((grade(a * oof[2] + b * oof[3] + (1 - a - b) * oof[4], y), a, b))
score, a, b = max(tried)
print("graded", len(tried), "blends on the folds, best", round(score, 5))
p2, p3, p4 = (m.fit(train[cols], y).predict_proba(test[cols])[:, 1] for m in models.values())
test["malignant"] = a * p2 + b * p3 + (1 - a - b) * p4
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
