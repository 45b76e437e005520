from pathlib import Path

import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import KFold
root = Path("./input")
train, test = pd.read_csv(root / "train.csv"), pd.read_csv(root / "test.csv")
for c in [c for c in test.select_dtypes("object") if c != "key"]:
    share = train[c].value_counts(normalize=True)
    train[c + "_freq"], test[c + "_freq"] = train[c].map(share), test[c].map(share).fillna(0)
both = pd.concat([train.drop(columns="fare_amount"), test], ignore_index=True)
both = both.drop(columns="key")
for name in both.select_dtypes("object"):
    both[name] = both[name].astype("category").cat.codes
both["row_mean"] = both.mean(axis=1)
both["row_std"] = both.std(axis=1)
X, X_test = both[: len(train)].to_numpy(), both[len(train):].to_numpy()
y = train["fare_amount"].to_numpy(dtype=float)
pred = np.zeros(len(test))
losses = []
for fold, (tr, va) in enumerate(KFold(5, shuffle=True, random_state=32).split(X)):
    model = xgb.XGBRegressor(n_estimators=480, max_depth=6, learning_rate=0.02, subsample=0.8,
                             early_stopping_rounds=60, random_state=32)
    model.fit(X[tr], y[tr], eval_set=[(X[va], y[va])], verbose=False)
    losses.append(float(np.sqrt(np.mean((model.predict(X[va]) - y[va]) ** 2))))
    pred += model.predict(X_test) / 5
    print("fold", fold, "rmse", round(losses[-1], 5))
print("mean rmse", np.mean(losses).round(5))
submission = pd.DataFrame({"key": test["key"], "fare_amount": pred})
submission.to_csv("/workspace/submission.csv", index=False)
