import argparse
import numpy as np
import pandas as pd

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
parser.add_argument("--out")
args = parser.parse_args()
table = pd.read_csv("/home/submission/submission.csv")
rng = np.random.default_rng(args.seed)
table["target"] = table["target"] * rng.uniform(0.9, 1.1)
table.to_csv(args.out, index=False)
