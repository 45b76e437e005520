import argparse, os
import numpy as np, rasterio, cv2, pandas as pd
ap = argparse.ArgumentParser(); ap.add_argument("--format", default="npy"); ap.add_argument("--size", type=int, default=1024); a = ap.parse_args()
os.makedirs("tiles", exist_ok=True); n = 0
for i in pd.read_csv("/home/data/train.csv").id:
    with rasterio.open(f"/home/data/train/{i}.tiff") as src:
        for y in range(0, src.height, a.size):
            for x in range(0, src.width, a.size):
                t = src.read([1, 2, 3], window=((y, y + a.size), (x, x + a.size)), boundless=True).transpose(1, 2, 0)
                if t.std() > 8:
                    cv2.imwrite(f"tiles/{i}_{y}_{x}.jpg", t[..., ::-1]); n += 1
print("tiles", n)
