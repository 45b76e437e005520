import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
SEED = 50
DATA = "/home/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
features = [c for c in test.columns if c != "key"]
for c in features:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(sorted(train[c].dropna().unique()))}
        train[c] = train[c].map(codes)
        test[c] = test[c].map(codes)
X, y = train[features], train["fare_amount"].astype(int)
params = dict(objective="binary", learning_rate=0.03, num_leaves=64, seed=SEED, verbose=-1)
oof, pred = np.zeros(len(train)), np.zeros(len(test))
for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    booster = lgb.train(params, lgb.Dataset(X.iloc[a], y.iloc[a]), 800,
                        valid_sets=[lgb.Dataset(X.iloc[b], y.iloc[b])],
                        callbacks=[lgb.early_stopping(50, verbose=False)])
    oof[b] = booster.predict(X.iloc[b])
    pred += booster.predict(test[features]) / 5
    print(f"fold {fold} auc {roc_auc_score(y.iloc[b], oof[b]):.5f}")
print("cv auc", round(roc_auc_score(y, oof), 5))
submission = pd.DataFrame({"key": test["key"], "fare_amount": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
