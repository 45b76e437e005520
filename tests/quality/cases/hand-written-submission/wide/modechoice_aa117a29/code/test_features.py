import numpy as np


def logloss(y, p):
    return -np.mean(np.log(np.where(y, p, 1 - p)))


def test_logloss():
    y = np.array([1, 0, 1, 1, 0])
    p = np.array([0.9, 0.1, 0.8, 0.7, 0.2])
    assert abs(logloss(y, p) - 0.2027) < 1e-3
