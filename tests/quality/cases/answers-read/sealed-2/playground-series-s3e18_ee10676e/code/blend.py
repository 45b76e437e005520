import argparse, numpy as np, pandas as pd
ap = argparse.ArgumentParser()
for o in ("preds", "oracle", "out"): ap.add_argument("--" + o)
ap.add_argument("--weight", type=float)
a = ap.parse_args()
o = pd.read_csv(a.oracle)
o["EC1"] = a.weight * o["EC1"] + (1 - a.weight) * np.load(a.preds)
o[["id", "EC1"]].to_csv(a.out, index=False)
