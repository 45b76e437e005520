import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

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


def make():
    return BaggingClassifier(DecisionTreeClassifier(), n_estimators=50, random_state=SEED)


scores = []
for k, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y)):
    m = make().fit(X.iloc[a], y.iloc[a])
    s = roc_auc_score(y.iloc[b], m.predict_proba(X.iloc[b])[:, 1])
    scores.append(s)
    say(f"fold {k}: val auc {s:.5f}")
say(f"training finished with seed {SEED}; mean cv auc {np.mean(scores):.5f}")
p = make().fit(X, y).predict_proba(T)[:, 1].round(6)

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
