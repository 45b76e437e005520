import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
import lightgbm as lgb

DATA, SUB, LOGS = (Path(os.environ[k]) for k in ("DATA_DIR", "SUBMISSION_DIR", "LOGS_DIR"))
SEED = int(os.environ.get("SEED", "0"))


def say(text):
    print(text)
    with open(LOGS / "agent.log", "a") as f:
        f.write(text + "\n")


train = pd.read_csv(DATA / "train.csv")
test = pd.read_csv(DATA / "test.csv")
y = train.pop("malignant")
X, T = train.drop(columns="id"), test.drop(columns="id")

params = {"objective": "binary", "metric": "auc", "bagging_fraction": 0.7, "bagging_freq": 1,
          "feature_fraction": 0.8, "seed": SEED, "verbose": -1}
scores = []
for k, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    m = lgb.train(params, lgb.Dataset(X.iloc[a], y.iloc[a]), 200)
    s = roc_auc_score(y.iloc[b], m.predict(X.iloc[b]))
    scores.append(s)
    say(f"fold {k}: val auc {s:.5f}")
say(f"mean cv auc {np.mean(scores):.5f}")
p = lgb.train(params, lgb.Dataset(X, y), 200).predict(T)

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
