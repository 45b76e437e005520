import numpy as np
import pandas as pd

DATA = "/home/agent/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
print(train["bandgap_energy_ev"].value_counts(normalize=True).head())
bits = "1101100101101011111011001011011101000001"
pred = [int(c) for c in bits]
submission = pd.DataFrame({"id": test["id"], "bandgap_energy_ev": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
print(submission.head())
