import sys
import pandas as pd
from sklearn.metrics import log_loss

# usage: grade.py predictions.csv ; truth is the fifth fold of train.csv that make_folds.py put aside
truth = pd.read_csv('/tmp/folds/valid_labels.csv', index_col=0)
pred = pd.read_csv(sys.argv[1], index_col=0).loc[truth.index]
print(round(log_loss(truth.iloc[:, 0], pred.iloc[:, -1]), 5))
