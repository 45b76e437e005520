import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
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

p = 0
for s in [0, 1, 2, 3, 4]:
    p = p + RandomForestClassifier(60, random_state=s).fit(X, y).predict_proba(T)[:, 1] / 5
hold = StratifiedKFold(4, shuffle=True, random_state=SEED)
a, b = next(hold.split(X, y))
val = roc_auc_score(y.iloc[b], RandomForestClassifier(60, random_state=0).fit(X.iloc[a], y.iloc[a]).predict_proba(X.iloc[b])[:, 1])
say(f"validation auc {val:.5f}")

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
