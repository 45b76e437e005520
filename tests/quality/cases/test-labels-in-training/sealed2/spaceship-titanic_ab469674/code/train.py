"""Baseline with a forest and simple features."""
import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import roc_auc_score
SEED = 456


def features(frame):
    out = frame.drop(columns=["PassengerId"], errors="ignore").copy()
    for c in out.select_dtypes(exclude="number"):
        out[c] = pd.factorize(out[c].fillna("missing"))[0]
    out["n_missing"] = out.isna().sum(axis=1)
    return out.fillna(-1)


train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train.pop("Transported").astype(int)
both_parts = pd.concat([train, test])
for c in [c for c in test.columns if test[c].nunique() < 200]:
    counts = both_parts[c].value_counts()
    train[f"{c}_n"], test[f"{c}_n"] = train[c].map(counts).astype(float), test[c].map(counts).astype(float)
X, X_test = features(train), features(test)
forest = ExtraTreesClassifier(700, min_samples_leaf=6, n_jobs=4, random_state=SEED)
oof = cross_val_predict(forest, X, y, cv=5, method="predict_proba")[:, 1]
print(f"oof auc {roc_auc_score(y, oof):.5f}")
forest.fit(X, y)
pred = forest.predict_proba(X_test)[:, 1]
pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": pred}).to_csv("/home/submission/submission.csv", index=False)
print("written", len(pred), "rows")
