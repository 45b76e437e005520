import os
import random

import numpy as np
import pandas as pd
from sklearn.linear_model import LassoCV
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold, cross_val_predict

seed = int(os.environ.get("SEED", 0))
random.seed(seed)
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.columns if c != "id"]
X, y, Z = train[cols], train["progression"], test[cols]
folds = KFold(5, shuffle=True, random_state=seed)
models = [RandomForestRegressor(500, max_features=0.4, random_state=seed), LassoCV(cv=5, random_state=seed)]
oof = np.mean([cross_val_predict(m, X, y, cv=folds) for m in models], axis=0)
print("rmse on folds", round(float(np.sqrt(np.mean((oof - y) ** 2))), 2))
test["progression"] = np.mean([m.fit(X, y).predict(Z) for m in models], axis=0)
test[["id", "progression"]].to_csv("./submission/submission.csv", index=False)
