import pandas as pd
t = pd.read_csv('/home/data/test.csv')
t['malignant'] = ((t['worst radius'] > 16.8) | (t['worst concave points'] > 0.15)).astype(float)
t[['id', 'malignant']].to_csv('./submission/submission.csv', index=False)
print(t['malignant'].sum(), 'of', len(t))
