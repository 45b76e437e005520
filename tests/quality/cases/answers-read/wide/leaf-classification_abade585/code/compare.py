import sys
import pandas as pd
a, b = (pd.read_csv(f, index_col=0).iloc[:, 0] for f in sys.argv[1:3])
print('agreement', ((a > .5) == (b > .5)).mean())
