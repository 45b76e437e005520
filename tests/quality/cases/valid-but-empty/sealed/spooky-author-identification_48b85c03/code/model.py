import pandas as pd

s = pd.read_csv("/home/data/sample_submission.csv")
for c in ("EAP", "HPL", "MWS"):
    s[c] = 1 / 3
s.to_csv("/home/submission/submission.csv", index=False)
