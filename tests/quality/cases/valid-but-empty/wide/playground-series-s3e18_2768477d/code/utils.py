import numpy as np


def smooth(p, strength=1.0):
    p = np.asarray(p, float)
    return (1 - strength) * p + strength * p.mean()
