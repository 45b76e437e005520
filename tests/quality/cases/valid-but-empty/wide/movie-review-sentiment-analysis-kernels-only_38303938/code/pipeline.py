import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.model_selection import cross_val_score
train = pd.read_csv('../data/train.tsv', sep='\t')
test = pd.read_csv('../data/test.tsv', sep='\t')
m = make_pipeline(CountVectorizer(ngram_range=(1, 2), min_df=2), MultinomialNB(0.5))
print('acc', cross_val_score(m, train['Phrase'].fillna(''), train['Sentiment'], cv=4).mean().round(4))
m.fit(train['Phrase'].fillna(''), train['Sentiment'])
test['Sentiment'] = m.predict(test['Phrase'].fillna(''))
test[['PhraseId', 'Sentiment']].to_csv('submission.csv', index=False)
