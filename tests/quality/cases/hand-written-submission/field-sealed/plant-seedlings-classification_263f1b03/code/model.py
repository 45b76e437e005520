import numpy as np
import pandas as pd

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/sample_submission.csv")
freq = train["species"].value_counts(normalize=True)
print(freq.head())
rng = np.random.default_rng(42)
test["species"] = rng.choice(freq.index, size=len(test), p=freq.values)
test.to_csv("/home/submission/submission.csv", index=False)
print("Predictions saved to /home/submission/submission.csv")
