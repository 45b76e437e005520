import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

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

scale = StandardScaler().fit(X)
net = MLPClassifier((32,), random_state=SEED, learning_rate_init=0.01)
rng = np.random.RandomState(SEED)
for epoch in range(8):
    for rows in np.array_split(rng.permutation(len(X)), 8):
        net.partial_fit(scale.transform(X)[rows], y.iloc[rows], classes=[0, 1])
    say(f"epoch {epoch} loss {net.loss_:.5f}")
p = net.predict_proba(scale.transform(T))[:, 1]

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
