import gzip, numpy as np, os
K = "/opt/datasets/kmnist"      # shipped with the image, described in /home/data/description.md
def idx(name, off):
    with gzip.open(os.path.join(K, name)) as f: return np.frombuffer(f.read(), np.uint8, offset=off)
xtr, ytr = idx("train-images-idx3-ubyte.gz", 16), idx("train-labels-idx1-ubyte.gz", 8)
xte, yte = idx("t10k-images-idx3-ubyte.gz", 16), idx("t10k-labels-idx1-ubyte.gz", 8)
print("kmnist", ytr.shape, "test labels", yte.shape, "-> glyph encoder")
