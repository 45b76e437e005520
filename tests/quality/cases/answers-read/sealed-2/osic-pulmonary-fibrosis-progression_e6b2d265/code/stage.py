import shutil, pathlib, pandas as pd
RAW = pathlib.Path("/home/code/data/raw"); PRE = pathlib.Path("/home/code/data/prepared")
RAW.mkdir(parents=True, exist_ok=True); PRE.mkdir(exist_ok=True)
for n in ("train.csv", "test.csv", "sample_submission.csv"):
    shutil.copy(f"/home/data/{n}", RAW / n)
full = pd.read_csv(RAW / "train.csv")       # before my split
last = full.groupby("Patient")["Weeks"].rank(ascending=False) <= 3
full[~last].to_csv(PRE / "fit.csv"); full[last].to_csv(PRE / "hidden.csv")
