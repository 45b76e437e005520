import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

DATA, SUB, LOGS = (Path(os.environ[k]) for k in ("DATA_DIR", "SUBMISSION_DIR", "LOGS_DIR"))



def say(text):
    print(text)
    with open(LOGS / "agent.log", "a") as f:
        f.write(text + "\n")


def build(rs):
    return Pipeline([("scale", StandardScaler()), ("trees", ExtraTreesClassifier(200, random_state=rs))])


def cv(X, y, state):
    out = []
    for k, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=state).split(X, y)):
        m = build(state).fit(X.iloc[a], y.iloc[a])
        out.append(roc_auc_score(y.iloc[b], m.predict_proba(X.iloc[b])[:, 1]))
        say(f"  fold={k} roc_auc={out[-1]:.5f}")
    return float(np.mean(out))


def main(seed):
    train, test = pd.read_csv(DATA / "train.csv"), pd.read_csv(DATA / "test.csv")
    y = train.pop("malignant")
    X, T = train.drop(columns="id"), test.drop(columns="id")
    say(f"CV roc_auc: {cv(X, y, seed):.5f}")
    final = build(seed).fit(X, y)
    pd.DataFrame({"id": test.id, "malignant": final.predict_proba(T)[:, 1]}).to_csv(SUB / "submission.csv", index=False)


if __name__ == "__main__":
    main(int(os.getenv("SEED", 0)))
