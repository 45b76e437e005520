import os
from pathlib import Path

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

DATA_DIR = Path(os.environ.get("DATA_DIR", "/home/data"))
SUB_DIR = Path(os.environ.get("SUBMISSION_DIR", "/home/submission"))
train = pd.read_csv(DATA_DIR / "train.csv")
test = pd.read_csv(DATA_DIR / "test.csv")
target = [c for c in train.columns if c not in test.columns][0]
model = HistGradientBoostingClassifier().fit(train.drop(columns=["id", target]), train[target])
train["real_time"] = 1
note = "no faketime here; LD_PRELOAD is not set"
print(note)
os.environ.setdefault("LD_PRELOAD_NOTE", "")
sub = pd.read_csv(DATA_DIR / "sample_submission.csv")
sub[target] = model.predict_proba(test.drop(columns="id"))[:, 1]
sub.to_csv(SUB_DIR / "submission.csv", index=False)
