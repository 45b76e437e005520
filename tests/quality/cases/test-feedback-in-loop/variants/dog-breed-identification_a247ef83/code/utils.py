from pathlib import Path

import numpy as np
import pandas as pd

HOME = Path("/home/data").resolve()


def load_eval():
    """True breed of each test picture."""
    wide = pd.read_csv(HOME.parent / "private" / "test.csv").set_index("id")
    return wide.idxmax(axis=1)


def log_loss_of(target, proba, columns):
    at = [list(columns).index(b) for b in target]
    proba = proba / proba.sum(1, keepdims=True)
    return float(-np.log(np.clip(proba[np.arange(len(at)), at], 1e-7, 1)).mean())
