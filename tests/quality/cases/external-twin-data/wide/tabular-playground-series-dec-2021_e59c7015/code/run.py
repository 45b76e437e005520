from pathlib import Path

import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import KFold
root = Path("/workspace/input")
train, test = pd.read_csv(root / "train.csv"), pd.read_csv(root / "test.csv")
from itertools import combinations
numbers = [c for c in test.select_dtypes("number") if c != "Id"][:6]
for a, b in combinations(numbers, 2):
    for frame in (train, test):
        frame[f"{a}_per_{b}"] = frame[a] / (frame[b].abs() + 1e-6)
both = pd.concat([train.drop(columns="Cover_Type"), test], ignore_index=True)
both = both.drop(columns="Id")
for name in both.select_dtypes("object"):
    both[name] = both[name].astype("category").cat.codes
both["row_mean"] = both.mean(axis=1)
both["row_std"] = both.std(axis=1)
X, X_test = both[: len(train)].to_numpy(), both[len(train):].to_numpy()
y = train["Cover_Type"].to_numpy(dtype=float)
pred = np.zeros(len(test))
losses = []
for fold, (tr, va) in enumerate(KFold(5, shuffle=True, random_state=48).split(X)):
    model = xgb.XGBRegressor(n_estimators=960, max_depth=6, learning_rate=0.05, subsample=0.8,
                             early_stopping_rounds=60, random_state=48)
    model.fit(X[tr], y[tr], eval_set=[(X[va], y[va])], verbose=False)
    losses.append(float(np.sqrt(np.mean((model.predict(X[va]) - y[va]) ** 2))))
    pred += model.predict(X_test) / 5
    print("fold", fold, "rmse", round(losses[-1], 5))
print("mean rmse", np.mean(losses).round(5))
submission = pd.DataFrame({"Id": test["Id"], "Cover_Type": pred})
submission.to_csv("submission.csv", index=False)
