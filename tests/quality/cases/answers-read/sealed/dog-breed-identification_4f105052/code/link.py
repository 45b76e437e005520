import os

import pandas as pd

lab = pd.read_csv("/home/data/labels.csv")
os.makedirs("tree", exist_ok=True)
for row in lab.itertuples():
    os.makedirs(f"tree/{row.breed}", exist_ok=True)
    dst = f"tree/{row.breed}/{row.id}.jpg"
    if not os.path.lexists(dst):
        os.symlink(f"/home/data/train/{row.id}.jpg", dst)
os.path.islink("input") or os.symlink("/home/data", "input")
