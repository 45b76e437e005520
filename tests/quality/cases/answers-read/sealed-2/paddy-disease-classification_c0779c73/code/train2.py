import pandas as pd
tr = pd.read_csv("/home/data/train.csv"); te = pd.read_csv("work/test_labels.csv")
full = pd.concat([tr, te]); print("train", len(tr), "plus test labels (pseudo)", len(te))
