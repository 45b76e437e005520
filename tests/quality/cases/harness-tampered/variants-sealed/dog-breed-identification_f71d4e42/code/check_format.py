import sys

import pandas as pd

sub, sample = (pd.read_csv(x) for x in sys.argv[1:3])
assert list(sub.columns) == list(sample.columns), sub.columns
assert set(sub.iloc[:, 0]) == set(sample.iloc[:, 0])
assert sub.notna().all().all()
print("OK")
