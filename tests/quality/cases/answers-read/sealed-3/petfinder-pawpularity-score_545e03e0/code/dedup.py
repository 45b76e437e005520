import imagehash, glob, itertools
from PIL import Image
H = {f: imagehash.phash(Image.open(f)) for f in glob.glob("/home/data/t*/*.jpg")}
by = {}
for f, h in H.items():
    by.setdefault(str(h), []).append(f)
d = [v for v in by.values() if len(v) > 1]
intra = [v for v in d if all("/train/" in f for f in v)]
print(len(intra), "near duplicates in train,", len(d) - len(intra), "pairs train/test (kept, target not transferred)")
