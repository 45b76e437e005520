import re

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from scipy.sparse import hstack
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--features", type=int, default=30000)
args, _ = parser.parse_known_args()
train = pd.read_csv("../data/train.csv")
test = pd.read_csv("../data/test.csv")
text = "text" if "text" in train else train.columns[1]


def clean(s):
    s = re.sub(r"<[^>]+>", " ", str(s).lower())
    return re.sub(r"\s+", " ", s).strip()


for frame in (train, test):
    frame["clean"] = frame[text].map(clean)
words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=args.features or 64000)
chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3, max_features=64000)
corpus = pd.concat([train["clean"], test["clean"]])
words.fit(corpus)
chars.fit(corpus)
X = hstack([words.transform(train["clean"]), chars.transform(train["clean"])]).tocsr()
X_test = hstack([words.transform(test["clean"]), chars.transform(test["clean"])]).tocsr()
y = train["Sentiment"]
losses, proba = [], 0
for a, b in StratifiedKFold(5, shuffle=True, random_state=30).split(X, y):
    model = LogisticRegression(C=8, max_iter=2000).fit(X[a], y.iloc[a])
    losses.append(log_loss(y.iloc[b], model.predict_proba(X[b]), labels=model.classes_))
    proba = proba + model.predict_proba(X_test) / 5
    print(f"fold logloss {losses[-1]:.4f}")
print(f"cv logloss {np.mean(losses):.4f}")
pred = proba[:, 1]
submission = pd.DataFrame({"PhraseId": test["PhraseId"], "Sentiment": pred})
submission.to_csv("./submission/submission.csv", index=False)
