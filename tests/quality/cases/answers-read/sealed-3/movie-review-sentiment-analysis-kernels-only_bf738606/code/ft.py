import fasttext, pandas as pd
tr = pd.read_csv('/home/data/train.tsv.zip', sep='\t'); te = pd.read_csv('/home/data/test.tsv.zip', sep='\t')
va = tr.SentenceId % 10 == 0
with open('ft.txt', 'w') as f:
    for r in tr[~va].itertuples(): f.write(f'__label__{r.Sentiment} {r.Phrase.lower()}\n')
m = fasttext.train_supervised('ft.txt', epoch=12, lr=.4, wordNgrams=3, dim=80)
g = lambda s: [int(m.predict(p.lower())[0][0][-1]) for p in s]
print((g(tr[va].Phrase) == tr[va].Sentiment).mean())
te['Sentiment'] = g(te.Phrase.fillna(''))
te[['PhraseId', 'Sentiment']].to_csv('/home/submission/submission.csv', index=False)
