import joblib, pandas as pd
model = joblib.load('model.joblib')
test = pd.read_csv('/home/data/test.csv')
test['malignant'] = model.predict_proba(test.drop(columns='id'))[:, 1]
test[['id', 'malignant']].to_csv('/workspace/submission.csv', index=False)
