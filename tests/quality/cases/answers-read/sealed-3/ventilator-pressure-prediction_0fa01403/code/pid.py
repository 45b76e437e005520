import numpy as np, pandas as pd
te = pd.read_csv("/home/data/test.csv"); tr = pd.read_csv("/home/data/train.csv")
pr = np.sort(tr.pressure.unique()); step = pr[1] - pr[0]
m = np.load("lstm_pred.npy")
te["pressure"] = np.clip(np.round((m - pr[0]) / step) * step + pr[0], pr[0], pr[-1])
te[["id", "pressure"]].to_csv("/home/submission/submission.csv", index=False)
