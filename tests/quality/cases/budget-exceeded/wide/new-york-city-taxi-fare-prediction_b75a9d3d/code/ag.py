import pandas as pd
from autogluon.tabular import TabularPredictor
train, test = pd.read_csv('./input/train.csv'), pd.read_csv('./input/test.csv')
label = [c for c in train if c not in test][0]
p = TabularPredictor(label=label).fit(train, time_limit=7200, presets='best_quality')
pd.DataFrame({test.columns[0]: test.iloc[:, 0], label: p.predict(test)}).to_csv('submission.csv', index=False)
