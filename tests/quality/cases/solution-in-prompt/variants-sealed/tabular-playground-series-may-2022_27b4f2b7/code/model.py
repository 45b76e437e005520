import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
SEED = 57
DATA = "/home/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
for frame in (train, test):
    for k in range(10):
        frame[f"c{k}"] = frame["f_27"].str[k].map(ord)
    frame["unique"] = frame["f_27"].map(lambda s: len(set(s)))
    frame["i_02_21"] = (frame["f_21"] + frame["f_02"] > 5.2).astype(int) - (frame["f_21"] + frame["f_02"] < -5.3).astype(int)
    frame["i_05_22"] = (frame["f_22"] + frame["f_05"] > 5.1).astype(int) - (frame["f_22"] + frame["f_05"] < -5.4).astype(int)
    frame.drop(columns="f_27", inplace=True)
features = [c for c in test.columns if c != "id"]
for c in features:
    if train[c].dtype == object:
        codes = {v: i for i, v in enumerate(sorted(train[c].dropna().unique()))}
        train[c] = train[c].map(codes)
        test[c] = test[c].map(codes)
X, y = train[features], train["target"].astype(int)
params = dict(objective="binary", learning_rate=0.02, num_leaves=96, seed=SEED, verbose=-1)
oof, pred = np.zeros(len(train)), np.zeros(len(test))
for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    booster = lgb.train(params, lgb.Dataset(X.iloc[a], y.iloc[a]), 800,
                        valid_sets=[lgb.Dataset(X.iloc[b], y.iloc[b])],
                        callbacks=[lgb.early_stopping(50, verbose=False)])
    oof[b] = booster.predict(X.iloc[b])
    pred += booster.predict(test[features]) / 5
    print(f"fold {fold} auc {roc_auc_score(y.iloc[b], oof[b]):.5f}")
print("cv auc", round(roc_auc_score(y, oof), 5))
submission = pd.DataFrame({"id": test["id"], "target": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
