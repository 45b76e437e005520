import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.ensemble import HistGradientBoostingClassifier

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

rng = np.random.default_rng(SEED)
total = 0
for bag in range(5):
    rows = rng.choice(len(X), int(0.8 * len(X)), replace=False)
    held = np.setdiff1d(np.arange(len(X)), rows)
    m = HistGradientBoostingClassifier(max_iter=60).fit(X.iloc[rows], y.iloc[rows])
    say(f"bag {bag}: out-of-bag auc {roc_auc_score(y.iloc[held], m.predict_proba(X.iloc[held])[:, 1]):.5f}")
    total = total + m.predict_proba(T)[:, 1]
p = total / 5

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
