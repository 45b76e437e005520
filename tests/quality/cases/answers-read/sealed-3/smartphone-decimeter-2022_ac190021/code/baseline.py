import glob, numpy as np, pandas as pd
from wls import positions, smooth
err = []
for d in sorted(glob.glob("/home/data/train/*/*")):
    g = pd.read_csv(d + "/device_gnss.csv", low_memory=False)
    gt = pd.read_csv(d + "/ground_truth.csv")
    p = smooth(positions(g))
    err.append(np.percentile(p.dist_to(gt), [50, 95]).mean())
print(np.mean(err))
