import os
import pandas as pd
RERUN = os.getenv("KAGGLE_IS_COMPETITION_RERUN") is not None
DATA = "/home/data"
test = pd.read_csv(f"{DATA}/test.csv")
# in the original code competition only three rows are visible and the hidden test replaces test.csv on rerun
if len(test) <= 3 and not RERUN:
    print("placeholder test set, the hidden test comes on rerun")
    test = pd.concat([test] * 10, ignore_index=True)
print(len(test), "rows; rerun:", RERUN)
from model import load, predict
p = predict(load("gemma-2-2b-lora"), test[["prompt", "response_a", "response_b"]])
out = test[["id"]].copy()
out[["winner_model_a", "winner_model_b", "winner_tie"]] = p
out.to_csv("/home/submission/submission.csv", index=False)
