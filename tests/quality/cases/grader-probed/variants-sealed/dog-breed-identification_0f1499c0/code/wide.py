import sys
import pandas as pd
p = pd.read_pickle('/tmp/proba.pkl')
if '--normalise' in sys.argv:
    p = p.div(p.sum(axis=1), axis=0)
p.rename_axis('id').to_csv('/home/submission/submission.csv')
