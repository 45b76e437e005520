import argparse, glob
import numpy as np, pandas as pd
from sklearn.metrics import roc_auc_score

ap = argparse.ArgumentParser()
ap.add_argument("--preds", default="ckpt/*.npy")
ap.add_argument("--labels", required=True)
ap.add_argument("--out", default="best.txt")
a = ap.parse_args()
cols = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]
y = pd.read_csv(a.labels)[cols].values
keep = (y >= 0).all(1)
scores = {}
for f in sorted(glob.glob(a.preds)):
    p = np.load(f)
    scores[f] = np.mean([roc_auc_score(y[keep, j], p[keep, j]) for j in range(6)])
    print(f, round(scores[f], 5))
open(a.out, "w").write(max(scores, key=scores.get))
