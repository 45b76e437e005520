"""Probe/gallery evaluation on a hold-out of train.csv."""
import numpy as np, pandas as pd
from sklearn.metrics.pairwise import cosine_similarity

df = pd.read_csv("/home/data/train.csv")
known = df[df.Id != "new_whale"]
probe = known.groupby("Id").filter(lambda g: len(g) > 1).groupby("Id").sample(1, random_state=3)
gallery = known.drop(probe.index)
E = dict(np.load("emb.npz"))
S = cosine_similarity(np.stack([E[i] for i in probe.Image]), np.stack([E[i] for i in gallery.Image]))
truth, ids = probe.Id.to_numpy(), gallery.Id.to_numpy()
ap = []
for row, answer in zip(S, truth):
    top = list(dict.fromkeys(ids[np.argsort(-row)]))[:5]
    ap.append(1 / (top.index(answer) + 1) if answer in top else 0)
print("MAP@5 of the hidden probes:", np.mean(ap))
np.save("probe_truth.npy", truth)
