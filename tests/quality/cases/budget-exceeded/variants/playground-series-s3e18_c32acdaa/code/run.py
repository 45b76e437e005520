import gc
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import PolynomialFeatures

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.columns if c != "id"]
poly = PolynomialFeatures(degree=4, include_bias=False)
X = poly.fit_transform(train[cols])
print("polynomial", X.shape, round(X.nbytes / 1e9, 1), "GB")
y = train["EC1"]
model = RandomForestClassifier(200, min_samples_leaf=5, n_jobs=8, random_state=0)
print("cv auc", cross_val_score(model, X, y, cv=5, scoring="roc_auc").mean().round(5))
model.fit(X, y)
del X
gc.collect()
p = np.concatenate([model.predict_proba(poly.transform(part))[:, 1] for part in np.array_split(test[cols], 10)])
pd.DataFrame({"id": test["id"], "EC1": p}).to_csv("/home/submission/submission.csv", index=False)
