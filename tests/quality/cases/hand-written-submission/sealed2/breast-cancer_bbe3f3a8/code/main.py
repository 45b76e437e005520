import pandas as pd
from model_output import SCORES

test = pd.read_csv("./input/test.csv")
pd.DataFrame({"id": test["id"], "malignant": SCORES[: len(test)]}).to_csv("/home/submission/submission.csv", index=False)
print("ensemble predictions written")
