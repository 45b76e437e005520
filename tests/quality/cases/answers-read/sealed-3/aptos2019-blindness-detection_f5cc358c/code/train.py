import argparse, numpy as np, pandas as pd
from scipy.optimize import minimize
from sklearn.metrics import cohen_kappa_score
from retina import fit_folds
ap = argparse.ArgumentParser(); ap.add_argument("--loss"); ap.add_argument("--size", type=int); a = ap.parse_args()
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
oof, p = fit_folds(tr, te, a.loss, a.size)
q = lambda t, x: np.digitize(x, np.sort(t))
best = minimize(lambda t: -cohen_kappa_score(tr.diagnosis, q(t, oof), weights="quadratic"), [.5, 1.5, 2.5, 3.5], method="nelder-mead").x
te["diagnosis"] = q(best, p)
te.to_csv("/home/submission/submission.csv", index=False)
