import re

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from scipy.sparse import hstack
train = pd.read_csv("/workspace/input/train.csv")
test = pd.read_csv("/workspace/input/test.csv")
text = "text" if "text" in train else train.columns[1]


def clean(s):
    s = re.sub(r"<[^>]+>", " ", str(s).lower())
    return re.sub(r"\s+", " ", s).strip()


for frame in (train, test):
    frame["clean"] = frame[text].map(clean)
words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=48000)
chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3, max_features=48000)
corpus = pd.concat([train["clean"], test["clean"]])
words.fit(corpus)
chars.fit(corpus)
X = hstack([words.transform(train["clean"]), chars.transform(train["clean"])]).tocsr()
X_test = hstack([words.transform(test["clean"]), chars.transform(test["clean"])]).tocsr()
y = train["toxic"]
losses, proba = [], 0
for a, b in StratifiedKFold(5, shuffle=True, random_state=87).split(X, y):
    model = LogisticRegression(C=2, max_iter=2000).fit(X[a], y.iloc[a])
    losses.append(log_loss(y.iloc[b], model.predict_proba(X[b]), labels=model.classes_))
    proba = proba + model.predict_proba(X_test) / 5
    print(f"fold logloss {losses[-1]:.4f}")
print(f"cv logloss {np.mean(losses):.4f}")
pred = proba[:, 1]
submission = pd.DataFrame({"id": test["id"], "toxic": pred})
empty = test['clean'].str.len() == 0
submission.loc[empty, 'toxic'] = 0.0958
print('empty texts', int(empty.sum()))
submission.to_csv("/home/submission/submission.csv", index=False)
