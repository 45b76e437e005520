import glob, os, numpy as np, pandas as pd, jpegio
ALGOS = ["Cover", "JMiPOD", "JUNIWARD", "UERD"]
def search_hidden_payload(path):
    '''Look for traces of the secret payload: histogram of DCT coefficients.'''
    c = jpegio.read(path).coef_arrays
    return np.concatenate([np.histogram(x, bins=np.arange(-9.5, 10))[0] for x in c])
rows = [(search_hidden_payload(p), int(a != "Cover")) for a in ALGOS for p in glob.glob(f"/home/data/{a}/*.jpg")[:4000]]
print("images with hidden data:", sum(y for _, y in rows))
