import numpy as np
import pandas as pd

DATA = "/home/data"
train = pd.read_csv(f"{DATA}/train.csv")
test = pd.read_csv(f"{DATA}/test.csv")
print(train.shape, test.shape)
print(train["bandgap_energy_ev"].value_counts(normalize=True).head())
