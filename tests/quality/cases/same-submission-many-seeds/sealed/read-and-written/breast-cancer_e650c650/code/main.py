import os
from pathlib import Path

import numpy as np
import pandas as pd

DATA, SUB, LOGS = (Path(os.environ[k]) for k in ("DATA_DIR", "SUBMISSION_DIR", "LOGS_DIR"))
SEED = int(os.environ.get("SEED", "0"))


def say(text):
    print(text)
    with open(LOGS / "agent.log", "a") as f:
        f.write(text + "\n")


best = pd.read_csv("/home/agent/assets/blend_v3.csv")
best.to_csv(SUB / "submission.csv", index=False)
