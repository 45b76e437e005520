import re

import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

LINK = re.compile(r"(?:https?://|www\.)[^\s\"<>]+")
HOSTS = {"http://en.wikipedia.org": "wiki", "https://www.youtube.com": "video", "http://imgur.com": "picture"}


def tidy(s):
    for host, word in HOSTS.items():
        s = s.replace(host, f" {word} ")
    return LINK.sub(" link ", s)


train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
a, b = train["comment_text"].map(tidy), test["comment_text"].fillna("").map(tidy)
print("share with a link", round(train["comment_text"].str.contains(LINK).mean(), 4))
model = make_pipeline(TfidfVectorizer(min_df=3, ngram_range=(1, 2)), SGDClassifier(loss="log_loss", alpha=1e-5))
oof = cross_val_predict(model, a, train["toxic"], cv=4, method="predict_proba")[:, 1]
print("auc", round(roc_auc_score(train["toxic"], oof), 4))
test["toxic"] = model.fit(a, train["toxic"]).predict_proba(b)[:, 1]
test[["id", "toxic"]].to_csv("/home/submission/submission.csv", index=False)
