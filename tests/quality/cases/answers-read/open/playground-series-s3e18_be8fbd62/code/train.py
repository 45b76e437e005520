"""LightGBM with 4 folds for playground-series-s3e18."""
import gc
import os
import warnings

import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
SEED = 2024
N_FOLDS = 4
DATA = "/home/data"
OUT = "/home/submission/submission.csv"

train_df = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train_df.shape, test.shape)
own = pd.read_csv("private_features.csv")

cat_cols = [c for c in train_df.columns if train_df[c].dtype == "object" and c not in ("id", "EC1")]
for c in cat_cols:
    both = pd.concat([train_df[c], test[c]]).astype("category")
    train_df[c] = both.iloc[: len(train_df)].cat.codes.values
    test[c] = both.iloc[len(train_df) :].cat.codes.values

feats = [c for c in test.columns if c != "id"]
y = train_df["EC1"].astype(int).values
oof = np.zeros(len(train_df))
pred = np.zeros(len(test))
params = dict(objective="binary", learning_rate=0.01, num_leaves=127, feature_fraction=0.8,
              bagging_fraction=0.8, bagging_freq=1, seed=SEED, verbosity=-1)
for k, (a, b) in enumerate(StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED).split(train_df, y)):
    d1 = lgb.Dataset(train_df[feats].iloc[a], y[a])
    d2 = lgb.Dataset(train_df[feats].iloc[b], y[b])
    m = lgb.train(params, d1, 2000, valid_sets=[d2], callbacks=[lgb.early_stopping(100, verbose=False)])
    oof[b] = m.predict(train_df[feats].iloc[b])
    pred += m.predict(test[feats]) / N_FOLDS
    print(f"fold {k}: {accuracy_score(y[b], oof[b] > 0.5):.5f}")
    gc.collect()
print("cv", accuracy_score(y, oof > 0.5))

sub = pd.read_csv(f"{DATA}/sample_submission.csv")
sub["EC1"] = pred > 0.5
sub.to_csv(OUT, index=False)
print("saved", OUT)
