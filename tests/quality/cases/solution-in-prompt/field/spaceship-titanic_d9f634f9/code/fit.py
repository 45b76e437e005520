import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = list(test.select_dtypes("number").columns)
X, Z, y = train[cols].fillna(0), test[cols].fillna(0), train["Transported"].astype(int)
models = [make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)), HistGradientBoostingClassifier(), ExtraTreesClassifier(400)]
oof = [cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 1] for m in models]
for name, p in zip(("baseline", "hgb"), oof):
    print(name, ((p > 0.5) == y).mean().round(4))
print("mean of three", ((np.mean(oof, axis=0) > 0.5) == y).mean().round(4))
test["Transported"] = np.mean([m.fit(X, y).predict_proba(Z)[:, 1] for m in models], axis=0) > 0.5
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
