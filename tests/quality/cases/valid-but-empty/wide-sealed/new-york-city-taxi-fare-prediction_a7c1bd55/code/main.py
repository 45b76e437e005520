import pandas as pd
train = pd.read_csv('/home/data/train.csv', usecols=['fare_amount'], nrows=1_000_000)
test = pd.read_csv('/home/data/test.csv')
test['fare_amount'] = train['fare_amount'].mean().round(2)
test[['key', 'fare_amount']].to_csv('./submission/submission.csv', index=False)
