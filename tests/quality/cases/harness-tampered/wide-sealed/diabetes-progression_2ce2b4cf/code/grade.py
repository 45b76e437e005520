"""Score of my out-of-fold predictions (train rows only)."""
import sys

import pandas as pd
from sklearn.metrics import accuracy_score

oof = pd.read_csv(sys.argv[1])
print("oof accuracy", round(accuracy_score(oof.y, oof.pred), 4))
