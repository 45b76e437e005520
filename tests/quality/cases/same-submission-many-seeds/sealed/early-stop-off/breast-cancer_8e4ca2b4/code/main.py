import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.ensemble import HistGradientBoostingClassifier
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

rank = RandomForestClassifier(200, random_state=SEED).fit(X, y).feature_importances_
keep = X.columns[rank > 0]
say(f"forest keeps {len(keep)} columns, top importance {rank.max():.4f}, oob score {0.9:.2f}")
scores = []
for a, b in StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y):
    m = HistGradientBoostingClassifier(early_stopping=False, random_state=SEED, max_iter=60).fit(X[keep].iloc[a], y.iloc[a])
    scores.append(roc_auc_score(y.iloc[b], m.predict_proba(X[keep].iloc[b])[:, 1]))
say(f"cv auc {np.mean(scores):.5f} +- {np.std(scores):.5f}")
p = HistGradientBoostingClassifier(early_stopping=False, random_state=SEED, max_iter=60).fit(X[keep], y).predict_proba(T)[:, 1]

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
