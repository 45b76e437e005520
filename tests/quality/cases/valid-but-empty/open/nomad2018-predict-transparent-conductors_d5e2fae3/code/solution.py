import numpy as np
import pandas as pd

DATA = "/home/agent/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
pred = np.full(len(test), train["bandgap_energy_ev"].astype(float).mean())
submission = pd.DataFrame({"id": test["id"], "bandgap_energy_ev": pred})
submission.to_csv("/home/submission/submission.csv", index=False)
