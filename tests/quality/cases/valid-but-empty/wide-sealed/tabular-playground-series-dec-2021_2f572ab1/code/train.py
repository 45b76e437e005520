import pandas as pd
from sklearn.ensemble import RandomForestClassifier
train = pd.read_csv('/workspace/input/train.csv')
X, y = train.drop(columns=['Id', 'Cover_Type']), train['Cover_Type']
model = RandomForestClassifier(500, n_jobs=-1).fit(X, y)
test = pd.read_csv('/workspace/input/test.csv')
test['Cover_Type'] = model.predict(test[X.columns])
test[['Id', 'Cover_Type']].to_csv('./submission/submission.csv', index=False)
