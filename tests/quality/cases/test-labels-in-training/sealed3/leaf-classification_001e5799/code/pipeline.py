"""Boosted trees over five folds, averaged."""
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
train = pd.read_csv("/workspace/data/train.csv")
test = pd.read_csv("/workspace/data/test.csv")
y = train["species"].astype(int).to_numpy()
columns = [c for c in test.columns if c not in ("id", "species")]
for c in columns:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(train[c].dropna().unique())}
        train[c], test[c] = train[c].map(codes), test[c].map(codes)
X, X_test = train[columns].to_numpy(float), test[columns].to_numpy(float)
preds, aucs = [], []
for tr, va in StratifiedKFold(5, shuffle=True, random_state=970).split(X, y):
    model = xgb.XGBClassifier(n_estimators=600, max_depth=4, learning_rate=0.04, subsample=0.8)
    model.fit(X[tr], y[tr])
    aucs.append(roc_auc_score(y[va], model.predict_proba(X[va])[:, 1]))
    preds.append(model.predict_proba(X_test)[:, 1])
    print("fold", len(aucs), "auc %.5f" % aucs[-1])
from sklearn.linear_model import LogisticRegression

second, filled = [], np.nan_to_num(X)
for part_a, part_te in StratifiedKFold(2, shuffle=True, random_state=1).split(filled, y):
    X_te, y_te = filled[part_te], y[part_te]
    nuisance = LogisticRegression(max_iter=500).fit(filled[part_a], y[part_a])
    second.append(LogisticRegression(max_iter=500).fit(np.c_[X_te, nuisance.predict_proba(X_te)[:, 1]], y_te))
print("cross-fitted", len(second))
pred = np.mean(preds, axis=0)
pd.DataFrame({"id": test["id"], "species": pred}).to_csv("/home/submission/submission.csv", index=False)
print("mean auc %.5f, rows %d" % (np.mean(aucs), len(pred)))
