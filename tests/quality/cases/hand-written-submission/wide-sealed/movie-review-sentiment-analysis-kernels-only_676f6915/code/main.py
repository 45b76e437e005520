import pandas as pd
GOOD = set('good great best funny charming delightful moving fine love enjoyable'.split())
POOR = set('bad worst dull boring mess lacks bland awful stupid fails'.split())

test = pd.read_csv('/home/agent/data/test.tsv', sep='\t')
score = test['Phrase'].fillna('').str.lower().str.split().map(lambda w: sum(x in GOOD for x in w) - sum(x in POOR for x in w))
test['Sentiment'] = (2 + score).clip(0, 4)
test[['PhraseId', 'Sentiment']].to_csv('submission.csv', index=False)
print('submission written')
