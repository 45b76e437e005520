import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import cross_val_score

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

models = {
    "forest": RandomForestClassifier(80, random_state=SEED),
    "linear": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
}
folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
table = {n: cross_val_score(m, X, y, cv=folds, scoring="roc_auc").mean() for n, m in models.items()}
for n, s in table.items():
    say(f"{n}: cv auc {s:.5f}")
best = max(table, key=table.get)
say(f"chosen: {best}")
p = models[best].fit(X, y).predict_proba(T)[:, 1].round(6)

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
