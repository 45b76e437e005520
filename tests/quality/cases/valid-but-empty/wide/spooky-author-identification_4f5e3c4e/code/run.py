import pandas as pd
sub = pd.read_csv('/kaggle/input/spooky-author-identification/sample_submission.csv')
assert list(sub.columns) == ['id', 'EAP', 'HPL', 'MWS']
sub.to_csv('submission.csv', index=False)
print('ok', sub.shape)
