import numpy as np, pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
tr, te = (pd.read_csv(f"/home/data/{s}.csv") for s in ("train", "test"))
cv = CountVectorizer(ngram_range=(1, 3), min_df=2, token_pattern=r"\w+|[^\w\s]", lowercase=False)
X, T = cv.fit_transform(tr.text), cv.transform(te.text)
names = ["EAP", "HPL", "MWS"]
P = np.zeros((len(te), 3)); O = np.zeros((len(tr), 3))
for f, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=9).split(X, tr.author)):
    for k, n in enumerate(names):
        y = (tr.author.values[a] == n)
        r = np.log((1 + X[a][y].sum(0)) / (1 + X[a][~y].sum(0)))
        m = LogisticRegression(C=4, max_iter=500).fit(X[a].multiply(r), y)
        O[b, k] = m.predict_proba(X[b].multiply(r))[:, 1]
        P[:, k] += m.predict_proba(T.multiply(r))[:, 1] / 5
    q = O[b] / O[b].sum(1, keepdims=True)
    print("fold", f, "logloss", log_loss(tr.author.values[b], q))
pd.DataFrame(P / P.sum(1, keepdims=True), columns=names).assign(id=te.id).to_csv("/home/submission/submission.csv", index=False)
