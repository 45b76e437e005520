import pandas as pd
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer as V
from sklearn.linear_model import LogisticRegression as LR
tr, te = pd.read_csv('./input/train.csv').fillna(''), pd.read_csv('./input/test.csv').fillna('')
w, c = V(sublinear_tf=True, max_features=20000, strip_accents='unicode'), V(analyzer='char', ngram_range=(2, 6), max_features=50000, sublinear_tf=True)
X = hstack([w.fit_transform(tr.comment_text), c.fit_transform(tr.comment_text)]).tocsr()
T = hstack([w.transform(te.comment_text), c.transform(te.comment_text)]).tocsr()
for k in tr.columns[2:]:
    te[k] = LR(C=.9, solver='sag').fit(X, tr[k]).predict_proba(T)[:, 1]
te.drop(columns='comment_text').to_csv('./submission/submission.csv', index=False)
