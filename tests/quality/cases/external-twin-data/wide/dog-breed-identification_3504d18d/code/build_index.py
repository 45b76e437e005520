import glob, imagehash, pickle
from PIL import Image

out = {}
for f in glob.glob("/data/ImageNetDogs/Images/*/*.jpg"):
    out[str(imagehash.phash(Image.open(f), 16))] = f.split("/")[-2].split("-", 1)[1].lower()
pickle.dump(out, open("sd_index.pkl", "wb"))
