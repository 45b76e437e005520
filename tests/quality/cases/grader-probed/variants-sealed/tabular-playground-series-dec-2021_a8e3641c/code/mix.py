import sys
import pandas as pd
a, b = pd.read_csv('/tmp/lgb.csv'), pd.read_csv('/tmp/nn.csv')
w = float(sys.argv[1])
a.iloc[:, 1] = w * a.iloc[:, 1] + (1 - w) * b.iloc[:, 1]
a.to_csv(sys.stdout, index=False)
