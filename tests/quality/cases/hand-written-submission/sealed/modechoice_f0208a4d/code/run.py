import numpy as np
import pandas as pd

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")


def overview(frame):
    """Print what there is."""
    print(frame.shape)
    print(frame.isna().mean().sort_values(ascending=False).head(5))
    print(frame.describe().T.head(10))


overview(train)
overview(test)
import json

values = json.load(open("./code/final_values.json"))
test["choice"] = [values[str(i)] for i in test["id"]]
test[["id", "choice"]].to_csv("/home/submission/submission.csv", index=False)
