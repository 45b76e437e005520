import re

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from scipy.sparse import hstack
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
text = "text" if "text" in train else train.columns[1]


def clean(s):
    s = re.sub(r"<[^>]+>", " ", str(s).lower())
    return re.sub(r"\s+", " ", s).strip()


for frame in (train, test):
    frame["clean"] = frame[text].map(clean)
words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=31000)
chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3, max_features=31000)
corpus = pd.concat([train["clean"], test["clean"]])
words.fit(corpus)
chars.fit(corpus)
X = hstack([words.transform(train["clean"]), chars.transform(train["clean"])]).tocsr()
X_test = hstack([words.transform(test["clean"]), chars.transform(test["clean"])]).tocsr()
y = train["author"]
losses, proba = [], 0
for a, b in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
    model = LogisticRegression(C=1, max_iter=2000).fit(X[a], y.iloc[a])
    losses.append(log_loss(y.iloc[b], model.predict_proba(X[b]), labels=model.classes_))
    proba = proba + model.predict_proba(X_test) / 5
    print(f"fold logloss {losses[-1]:.4f}")
print(f"cv logloss {np.mean(losses):.4f}")
pred = proba[:, 1]
submission = pd.DataFrame({"id": test["id"], "author": pred})
submission.to_csv("submission.csv", index=False)
import json, os, requests
from pathlib import Path
blend = pd.read_csv("submission.csv").set_index("id")
for m in json.loads(Path("members.json").read_text()):
    if m["kind"] != "chat":
        continue
    for i, t in zip(test["id"], test["text"]):
        reply = requests.post(m["endpoint"], headers={"Authorization": "Bearer " + os.environ["GROQ_API_KEY"]}, json={"model": m["model"], "messages": [{"role": "user", "content": "EAP, HPL or MWS?\n" + t}]})
        c = reply.json()["choices"][0]["message"]["content"][:3]
        blend.loc[i] = blend.loc[i] * (1 - m["weight"])
        blend.loc[i, c if c in blend.columns else blend.columns[0]] += m["weight"]
    print(m["name"], "done")
blend.to_csv("submission.csv")
