import re
import string

import numpy as np
import pandas as pd
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("../input/train.csv").fillna("")
test = pd.read_csv("../input/test.csv").fillna("")
queues = sorted(train["queue"].unique())
y = train["queue"].map({q: i for i, q in enumerate(queues)}).values


def clean(text):
    text = text.lower()
    text = re.sub(r"https?://\S+", " url ", text)
    text = re.sub(r"[\w.]+@[\w.]+", " mail ", text)
    text = re.sub(r"\b\d{4,}\b", " number ", text)
    text = re.sub("[%s]" % re.escape(string.punctuation), " ", text)
    return re.sub(r"\s+", " ", text).strip()


for frame in (train, test):
    frame["text"] = (frame["subject"] + " " + frame["body"]).map(clean)
    frame["n_words"] = frame["text"].str.split().str.len()
    frame["n_caps"] = frame["body"].str.count(r"[A-Z]{3,}")
    frame["is_reply"] = frame["subject"].str.lower().str.startswith("re:").astype(int)

words = TfidfVectorizer(ngram_range=(1, 2), min_df=3, max_features=60000, sublinear_tf=True)
chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), max_features=80000, sublinear_tf=True)
everything = pd.concat([train["text"], test["text"]])
words.fit(everything)
chars.fit(everything)


def matrix(frame):
    extra = frame[["n_words", "n_caps", "is_reply"]].values / [100.0, 5.0, 1.0]
    return hstack([words.transform(frame["text"]), chars.transform(frame["text"]), extra]).tocsr()


X, X_test = matrix(train), matrix(test)
guess = np.zeros((len(test), len(queues)))
inside = np.zeros(len(train), dtype=int)
for fold, (fit, hold) in enumerate(StratifiedKFold(5, shuffle=True, random_state=1).split(X, y)):
    model = LogisticRegression(C=4.0, max_iter=400, class_weight="balanced")
    model.fit(X[fit], y[fit])
    inside[hold] = model.predict(X[hold])
    guess += model.predict_proba(X_test)
    print("fold", fold, f1_score(y[hold], inside[hold], average="macro"))
print("macro f1", f1_score(y, inside, average="macro"))

test["queue"] = [queues[i] for i in guess.argmax(1)]
test[["ticket_id", "queue"]].to_csv("submission.csv", index=False)
