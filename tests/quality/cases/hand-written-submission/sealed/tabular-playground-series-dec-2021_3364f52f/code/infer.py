"""Inference with the coefficients that fit.py printed (see run.log)."""
import pandas as pd

COEF = {"x1": 0.3312, "x2": -1.0841, "x3": 0.0077}
BIAS = -0.2210


def score(frame):
    return BIAS + sum(w * frame[c] for c, w in COEF.items())
