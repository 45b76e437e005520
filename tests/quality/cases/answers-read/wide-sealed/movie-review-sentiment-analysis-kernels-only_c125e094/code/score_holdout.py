import sys, pandas as pd
# labels of the rows of train that I held out
y = pd.read_csv(sys.argv[1]).iloc[:, 1]
p = pd.read_csv('/tmp/holdout/pred.csv').iloc[:, 1]
print('holdout score', round(((p > .5) == y).mean(), 4))
