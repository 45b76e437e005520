import numpy as np
import pandas as pd


def load(path="emb/glove.6B.100d.txt"):
    out = {}
    for line in open(path, encoding="utf8"):
        w, *xs = line.rstrip().split(" ")
        out[w] = np.asarray(xs, dtype="float32")
    return out


vec = load()
print("loaded", len(vec), "vectors")
