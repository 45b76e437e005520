import pandas as pd, numpy as np, joblib
from collections import Counter
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
hv = HashingVectorizer(n_features=2**20, ngram_range=(1, 2), alternate_sign=False)
c = Counter(); rows = pd.read_csv('/home/data/train.csv', nrows=600_000)
for t in rows.Tags.fillna(''): c.update(t.split())
top = [t for t, _ in c.most_common(800)]
X = hv.transform(rows.Title + ' ' + rows.Body.str.slice(0, 600))
S = rows.Tags.fillna('').str.split().map(set)
for k, t in enumerate(top):
    y = np.fromiter((t in s for s in S), bool, len(S))
    joblib.dump(SGDClassifier(loss='log_loss', alpha=1e-6, max_iter=5).fit(X, y), f'm/{k}.jl')
    if k % 50 == 0: print(k, t, y.mean())
