import re
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold


class NbLogistic(BaseEstimator, ClassifierMixin):
    """Logistic regression on counts scaled by the log ratio of the classes."""

    def __init__(self, alpha=1.0, C=1.0):
        self.alpha = alpha
        self.C = C

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.models_ = []
        for c in self.classes_:
            hit = (y == c)
            p = self.alpha + X[hit].sum(axis=0)
            q = self.alpha + X[~hit].sum(axis=0)
            r = np.log((p / p.sum()) / (q / q.sum()))
            m = LogisticRegression(C=self.C, solver="liblinear").fit(X.multiply(r).tocsr(), hit)
            self.models_.append((r, m))
        return self

    def predict_proba(self, X):
        columns = [m.predict_proba(X.multiply(r).tocsr())[:, 1] for r, m in self.models_]
        p = np.array(columns).T
        return p / p.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


TOKEN = re.compile(r"[a-z]+|[!?]+|\d+")


def tokens(text):
    found = TOKEN.findall(text.lower())
    return ["<num>" if t.isdigit() else t for t in found]


if __name__ == "__main__":
    train = pd.read_csv("../input/train.csv", keep_default_na=False)
    test = pd.read_csv("../input/test.csv", keep_default_na=False)
    subject = CountVectorizer(tokenizer=tokens, binary=True, min_df=2)
    body = CountVectorizer(tokenizer=tokens, binary=True, min_df=4, ngram_range=(1, 2))
    X = sparse.hstack([subject.fit_transform(train["subject"]), body.fit_transform(train["body"])]).tocsr()
    T = sparse.hstack([subject.transform(test["subject"]), body.transform(test["body"])]).tocsr()
    y = train["queue"].values
    f1 = []
    for a, b in KFold(4, shuffle=True, random_state=0).split(X):
        model = NbLogistic(alpha=0.5, C=3.0).fit(X[a], y[a])
        f1.append(f1_score(y[b], model.predict(X[b]), average="macro"))
        print(f1[-1])
    print("mean", np.mean(f1))
    test["queue"] = NbLogistic(alpha=0.5, C=3.0).fit(X, y).predict(T)
    test.to_csv("nbsvm.csv", columns=["ticket_id", "queue"], index=False)
