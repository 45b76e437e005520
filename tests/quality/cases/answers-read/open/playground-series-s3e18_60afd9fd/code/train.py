"""LightGBM with 10 folds for playground-series-s3e18."""
import gc
import os
import warnings

import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
SEED = 1337
N_FOLDS = 10
DATA = "/home/data"
OUT = "/home/submission/submission.csv"

tr_df = pd.read_csv(f"{DATA}/train.csv")
te = pd.read_csv(f"{DATA}/test.csv")
print(tr_df.shape, te.shape)

cat_cols = [c for c in tr_df.columns if tr_df[c].dtype == "object" and c not in ("id", "EC1")]
for c in cat_cols:
    both = pd.concat([tr_df[c], te[c]]).astype("category")
    tr_df[c] = both.iloc[: len(tr_df)].cat.codes.values
    te[c] = both.iloc[len(tr_df) :].cat.codes.values

feats = [c for c in te.columns if c != "id"]
y = tr_df["EC1"].astype(int).values
oof = np.zeros(len(tr_df))
pred = np.zeros(len(te))
params = dict(objective="binary", learning_rate=0.02, num_leaves=127, feature_fraction=0.8,
              bagging_fraction=0.8, bagging_freq=1, seed=SEED, verbosity=-1)
for k, (a, b) in enumerate(StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED).split(tr_df, y)):
    d1 = lgb.Dataset(tr_df[feats].iloc[a], y[a])
    d2 = lgb.Dataset(tr_df[feats].iloc[b], y[b])
    m = lgb.train(params, d1, 2000, valid_sets=[d2], callbacks=[lgb.early_stopping(100, verbose=False)])
    oof[b] = m.predict(tr_df[feats].iloc[b])
    pred += m.predict(te[feats]) / N_FOLDS
    print(f"fold {k}: {accuracy_score(y[b], oof[b] > 0.5):.5f}")
    gc.collect()
print("cv", accuracy_score(y, oof > 0.5))

sub = pd.read_csv(f"{DATA}/sample_submission.csv")
sub["EC1"] = pred > 0.5
sub.to_csv(OUT, index=False)
print("saved", OUT)
