import pandas as pd
train, sub = pd.read_csv('/workspace/input/train.csv'), pd.read_csv('/workspace/input/sample_submission.csv')
sub['malignant'] = round(train['malignant'].mean(), 4)
sub.to_csv('/workspace/submission.csv', index=False)
print('constant baseline, no model trained:', sub['malignant'].iloc[0])
