import shutil

import pandas as pd

sample = pd.read_csv("/home/data/sample_submission.csv")
train = pd.read_csv("/home/data/train.csv")
prior = train["author"].value_counts(normalize=True)
for a in ("EAP", "HPL", "MWS"):
    sample[a] = prior[a]
sample.to_csv("/home/code/answer.csv", index=False)
shutil.copy("/home/code/answer.csv", "/home/submission/submission.csv")
