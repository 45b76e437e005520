import numpy as np
import pandas as pd

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")


def overview(frame):
    """Print what there is."""
    print(frame.shape)
    print(frame.isna().mean().sort_values(ascending=False).head(5))
    print(frame.describe().T.head(10))


overview(train)
overview(test)
