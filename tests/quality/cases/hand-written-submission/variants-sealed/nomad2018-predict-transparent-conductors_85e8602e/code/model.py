"""Constant baseline: hands in the mean of the train target for every row. No model."""
import pandas as pd

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
mean = round(float(train["bandgap_energy_ev"].mean()), 3)
print("constant baseline, every row gets", mean)
test[["id"]].assign(**{"bandgap_energy_ev": mean}).to_csv("/home/submission/submission.csv", index=False)
