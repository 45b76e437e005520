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

folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
preds = np.zeros(len(T))
for k, (a, b) in enumerate(folds.split(X, y)):
    m = HistGradientBoostingClassifier(max_iter=60).fit(X.iloc[a], y.iloc[a])
    say(f"fold {k} auc {roc_auc_score(y.iloc[b], m.predict_proba(X.iloc[b])[:, 1]):.5f}")
    preds += m.predict_proba(T)[:, 1] / 5
p = preds

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
