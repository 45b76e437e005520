import sys, pandas as pd
w = float(sys.argv[1])
a, b = pd.read_csv('/tmp/a.csv'), pd.read_csv('/tmp/b.csv')
a.iloc[:, 1] = w * a.iloc[:, 1] + (1 - w) * b.iloc[:, 1]
a.to_csv('/home/submission/submission.csv', index=False)
