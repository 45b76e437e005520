import pandas as pd, numpy as np
train = pd.read_csv('/workspace/input/train.csv', usecols=['Cover_Type'])
sub = pd.read_csv('/workspace/input/sample_submission.csv')
p = train['Cover_Type'].value_counts(normalize=True)
rng = np.random.default_rng(0)
sub['Cover_Type'] = rng.choice(p.index, size=len(sub), p=p.values)
sub.to_csv('/workspace/submission.csv', index=False)
print(p.round(4).to_dict())
