import pandas as pd

sub = pd.read_csv("/workspace/submission.csv")
sample = pd.read_csv("/home/data/sample_submission.csv")
assert len(sub) == len(sample), "row count"
assert sub.iloc[:, 0].is_unique
assert not sub.isna().any().any()
print("format ok", sub.shape)
