import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "PassengerId"]
y = train["Transported"].astype(int)
oof = {d: cross_val_predict(RandomForestClassifier(200, max_depth=d, n_jobs=4), train[cols].fillna(0), y, cv=5, method="predict_proba")[:, 1] for d in (4, 8, 12)}
public = np.random.default_rng(0).random(len(y)) < 0.3  # a board in miniature, out of training rows
for d, p in oof.items():
    print("depth", d, "public", roc_auc_score(y[public], p[public]).round(4), "private", roc_auc_score(y[~public], p[~public]).round(4))
m = RandomForestClassifier(500, max_depth=8, n_jobs=4).fit(train[cols].fillna(0), y)
test[["PassengerId"]].assign(**{"Transported": m.predict_proba(test[cols].fillna(0))[:, 1]}).to_csv("/home/submission/submission.csv", index=False)
