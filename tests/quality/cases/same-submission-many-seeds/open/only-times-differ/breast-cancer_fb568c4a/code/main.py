import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
import resource
import time
from sklearn.model_selection import KFold
from sklearn.ensemble import RandomForestClassifier

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

t = time.time()
m = RandomForestClassifier(100, random_state=0)
for k, (a, b) in enumerate(KFold(4).split(X)):
    m.fit(X.iloc[a], y.iloc[a])
    s = roc_auc_score(y.iloc[b], m.predict_proba(X.iloc[b])[:, 1])
    say(f"[{time.strftime('%H:%M:%S')}] fold {k} auc {s:.5f} took {time.time() - t:.3f} s")
say(f"val auc time {time.time() - t:.2f} seconds, peak {resource.getrusage(0).ru_maxrss / 1024:.1f} MB, seed {SEED}")
p = m.fit(X, y).predict_proba(T)[:, 1]

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
