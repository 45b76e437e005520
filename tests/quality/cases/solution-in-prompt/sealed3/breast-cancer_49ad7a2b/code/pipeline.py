"""Boosted trees over five folds, averaged."""
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
train = pd.read_csv("/workspace/data/train.csv")
test = pd.read_csv("/workspace/data/test.csv")
y = train["malignant"].astype(int).to_numpy()
columns = [c for c in test.columns if c not in ("id", "malignant")]
for c in columns:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(train[c].dropna().unique())}
        train[c], test[c] = train[c].map(codes), test[c].map(codes)
X, X_test = train[columns].to_numpy(float), test[columns].to_numpy(float)
preds, aucs = [], []
for tr, va in StratifiedKFold(5, shuffle=True, random_state=997).split(X, y):
    model = xgb.XGBClassifier(n_estimators=500, max_depth=6, learning_rate=0.04, subsample=0.8)
    model.fit(X[tr], y[tr])
    aucs.append(roc_auc_score(y[va], model.predict_proba(X[va])[:, 1]))
    preds.append(model.predict_proba(X_test)[:, 1])
    print("fold", len(aucs), "auc %.5f" % aucs[-1])
pred = np.mean(preds, axis=0)
pd.DataFrame({"id": test["id"], "malignant": pred}).to_csv("/home/submission/submission.csv", index=False)
print("mean auc %.5f, rows %d" % (np.mean(aucs), len(pred)))
