import numpy as np, pandas as pd
from sklearn.linear_model import QuantileRegressor
tr, te = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
b = tr.sort_values('Weeks').groupby('Patient').first()
d = tr.merge(b[['FVC', 'Weeks', 'Percent']].add_suffix('0'), left_on='Patient', right_index=True)
d['dt'] = d.Weeks - d.Weeks0
f = ['dt', 'FVC0', 'Percent0', 'Age']
Q = {q: QuantileRegressor(quantile=q, alpha=.001, solver='highs').fit(d[f], d.FVC) for q in (.2, .5, .8)}
sub = pd.read_csv('/home/data/sample_submission.csv')
sub[['Patient', 'w']] = sub.Patient_Week.str.split('_', expand=True)
z = sub.merge(te.rename(columns={'FVC': 'FVC0', 'Percent': 'Percent0'}), on='Patient'); z['dt'] = z.w.astype(int) - z.Weeks
z['FVC'] = Q[.5].predict(z[f]); z['Confidence'] = (Q[.8].predict(z[f]) - Q[.2].predict(z[f])).clip(70)
z[['Patient_Week', 'FVC', 'Confidence']].to_csv('/home/submission/submission.csv', index=False)
