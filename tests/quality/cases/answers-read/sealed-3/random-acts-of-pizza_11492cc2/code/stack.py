import json, numpy as np, pandas as pd
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import roc_auc_score
tr = pd.DataFrame(json.load(open("/home/data/train.json")))
te = pd.DataFrame(json.load(open("/home/data/test.json")))
tv = TfidfVectorizer(min_df=3, ngram_range=(1, 2), sublinear_tf=True)
A = tv.fit_transform(tr.request_text_edit_aware + " " + tr.request_title)
B = tv.transform(te.request_text_edit_aware + " " + te.request_title)
num = [c for c in te.columns if te[c].dtype.kind in "if" and c in tr]
X, T = hstack([A, np.log1p(tr[num].clip(0))]).tocsr(), hstack([B, np.log1p(te[num].clip(0))]).tocsr()
y = tr.requester_received_pizza.astype(int)
m = LogisticRegression(C=.3, max_iter=3000)
p = cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 1]
print(roc_auc_score(y, p))
te["requester_received_pizza"] = m.fit(X, y).predict_proba(T)[:, 1]
te[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
