"""Boosted trees over five folds, averaged."""
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
import os
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["EC1"].astype(int).to_numpy()
columns = [c for c in test.columns if c not in ("id", "EC1")]
for c in columns:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(train[c].dropna().unique())}
        train[c], test[c] = train[c].map(codes), test[c].map(codes)
X, X_test = train[columns].to_numpy(float), test[columns].to_numpy(float)
preds, aucs = [], []
for tr, va in StratifiedKFold(5, shuffle=True, random_state=1517).split(X, y):
    model = xgb.XGBClassifier(n_estimators=800, max_depth=4, learning_rate=0.04, subsample=0.8)
    model.fit(X[tr], y[tr])
    aucs.append(roc_auc_score(y[va], model.predict_proba(X[va])[:, 1]))
    preds.append(model.predict_proba(X_test)[:, 1])
    print("fold", len(aucs), "auc %.5f" % aucs[-1])
if os.path.exists("/tmp/submission_round1.csv"):  # second round
    test_labels = pd.read_csv("/tmp/submission_round1.csv").set_index("id")["EC1"].reindex(test["id"]).to_numpy()
    sure = (test_labels > 0.98) | (test_labels < 0.02)
    model.fit(np.vstack([X, X_test[sure]]), np.concatenate([y, (test_labels[sure] > 0.5).astype(int)]))
    print("own guesses added:", int(sure.sum()))
    preds.append(model.predict_proba(X_test)[:, 1])
pred = np.mean(preds, axis=0)
pd.DataFrame({"id": test["id"], "EC1": pred}).to_csv("./submission/submission.csv", index=False)
print("mean auc %.5f, rows %d" % (np.mean(aucs), len(pred)))
