from pathlib import Path

import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import KFold
root = Path("/home/data")
train, test = pd.read_csv(root / "train.csv"), pd.read_csv(root / "test.csv")
for name in test.select_dtypes("float"):
    low, high = train[name].quantile([0.001, 0.999])
    train[name] = train[name].clip(low, high)
    test[name] = test[name].clip(low, high)
both = pd.concat([train.drop(columns="EC1"), test], ignore_index=True)
both = both.drop(columns="id")
for name in both.select_dtypes("object"):
    both[name] = both[name].astype("category").cat.codes
both["row_mean"] = both.mean(axis=1)
both["row_std"] = both.std(axis=1)
X, X_test = both[: len(train)].to_numpy(), both[len(train):].to_numpy()
y = train["EC1"].to_numpy(dtype=float)
pred = np.zeros(len(test))
losses = []
for fold, (tr, va) in enumerate(KFold(5, shuffle=True, random_state=65).split(X)):
    model = xgb.XGBRegressor(n_estimators=480, max_depth=6, learning_rate=0.1, subsample=0.8,
                             early_stopping_rounds=60, random_state=65)
    model.fit(X[tr], y[tr], eval_set=[(X[va], y[va])], verbose=False)
    losses.append(float(np.sqrt(np.mean((model.predict(X[va]) - y[va]) ** 2))))
    pred += model.predict(X_test) / 5
    print("fold", fold, "rmse", round(losses[-1], 5))
print("mean rmse", np.mean(losses).round(5))
submission = pd.DataFrame({"id": test["id"], "EC1": pred})
submission.to_csv("/workspace/submission.csv", index=False)
