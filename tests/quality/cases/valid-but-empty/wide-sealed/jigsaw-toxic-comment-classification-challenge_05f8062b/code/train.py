import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import cross_val_score
train, test = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
vec = TfidfVectorizer(min_df=3, sublinear_tf=True)
X = vec.fit_transform(train['comment_text'])
m = SGDClassifier(loss='log_loss', alpha=1e-5)
print('f1', cross_val_score(m, X, train['toxic'], cv=3, scoring='f1').mean().round(4))
test['toxic'] = m.fit(X, train['toxic']).predict(vec.transform(test['comment_text']))
print('share toxic', test['toxic'].mean().round(4))
test[['id', 'toxic']].to_csv('./submission/submission.csv', index=False)
