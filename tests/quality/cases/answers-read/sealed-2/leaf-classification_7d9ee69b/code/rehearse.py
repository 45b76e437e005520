"""Dress rehearsal: cut train.csv into a small public/private pair, predict, grade. All below /home/code/rehearsal."""
import subprocess, sys
from pathlib import Path
import pandas as pd
HOME = Path("/home/code/rehearsal/leaf/prepared")
pub, prv = HOME / "public", HOME / "private"
for d in (pub, prv): d.mkdir(parents=True, exist_ok=True)
tr = pd.read_csv("/home/data/train.csv").sample(frac=1, random_state=1)
cut = int(.8 * len(tr))
tr[:cut].to_csv(pub / "train.csv", index=False)
tr[cut:].drop(columns="species").to_csv(pub / "test.csv", index=False)
tr[cut:][["id", "species"]].to_csv(prv / "answers.csv", index=False)
subprocess.run([sys.executable, "train.py", "--data", str(pub), "--out", "/tmp/reh.csv"], check=True)
answers = pd.read_csv(prv / "answers.csv")
print("rehearsal acc", (answers.merge(pd.read_csv("/tmp/reh.csv"), on="id").eval("species_x == species_y")).mean())
