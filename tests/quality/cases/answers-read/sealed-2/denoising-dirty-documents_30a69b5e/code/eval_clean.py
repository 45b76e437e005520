import argparse, glob, cv2, numpy as np
ap = argparse.ArgumentParser(); ap.add_argument("--ckpt"); ap.add_argument("--truth"); a = ap.parse_args()
truth = {g.split("/")[-1]: cv2.imread(g, 0) / 255 for g in glob.glob(a.truth + "/*.png")}   # public clean pages
print(a.ckpt, len(truth))
