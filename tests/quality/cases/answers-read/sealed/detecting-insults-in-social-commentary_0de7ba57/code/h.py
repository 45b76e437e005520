"""Insults.

From the description: 'the private test set was released in the last week (test_with_solutions.csv is
kept by the organisers)'. Only train.csv and test.csv are used here.
"""
import re

import numpy as np
import pandas as pd
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import log_loss

TRAIN = "/home/data/train.csv"
TEST = "/home/data/test.csv"


def clean(s):
    s = str(s).lower()
    s = re.sub(r"https?://\S+", " ", s)
    return re.sub(r"[^a-z0-9!?' ]+", " ", s)


train, te = pd.read_csv(TRAIN), pd.read_csv(TEST)
docs = pd.concat([train["text"], te["text"]]).map(clean)
w = TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True).fit(docs[: len(train)])
c = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), max_features=50000).fit(docs[: len(train)])
X = hstack([w.transform(docs), c.transform(docs)]).tocsr()
A, B = X[: len(train)], X[len(train) :]
clf = LogisticRegression(C=4.0, max_iter=500)
oof = cross_val_predict(clf, A, train["Insult"], cv=5, method="predict_proba")
print("log loss", log_loss(train["Insult"], oof))
clf.fit(A, train["Insult"])
sub = pd.DataFrame(clf.predict_proba(B), columns=clf.classes_)
sub.insert(0, "id", te["id"])
sub.to_csv("/home/submission/submission.csv", index=False, float_format="%.6f")
