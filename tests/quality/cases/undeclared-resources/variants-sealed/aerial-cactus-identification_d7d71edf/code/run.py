import argparse

import pandas as pd
import torch
from cactus import fit, predict  # code/cactus.py

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
if args.device.startswith("cuda"):
    print(f"device: {args.device} ({torch.cuda.get_device_name(args.device)})")
model = fit("/home/data", args.device, args.amp, epochs=2)
sample = pd.read_csv("/home/data/sample_submission.csv")
sample["has_cactus"] = predict(model, sample["id"], "/home/data/test", args.device)
sample.to_csv("./submission/submission.csv", index=False)
