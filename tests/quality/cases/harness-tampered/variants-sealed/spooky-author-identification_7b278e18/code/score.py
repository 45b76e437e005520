"""Own copy of the metric, for the folds."""
import numpy as np


def grade(y, p):
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return -np.mean(np.log(p[np.arange(len(y)), y]))
