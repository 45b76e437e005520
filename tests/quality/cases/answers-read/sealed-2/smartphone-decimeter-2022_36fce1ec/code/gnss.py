from pathlib import Path
import pandas as pd, numpy as np
root = Path("/home/data")
gts = sorted(root.glob("train/*/*/ground_truth.csv"))
truth = pd.concat([pd.read_csv(p).assign(tripId="/".join(p.parts[-3:-1])) for p in gts])
print("ground truth files:", len(gts), "rows:", len(truth))
for trip in sorted((root / "test").glob("*/*")):
    gt = trip / "ground_truth.csv"
    print(trip.name, "ground truth present" if gt.exists() else "no ground truth, as documented")
