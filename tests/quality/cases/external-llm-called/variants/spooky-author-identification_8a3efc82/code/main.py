import re

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from scipy.sparse import hstack
import subprocess
import time
import requests
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
text = "text" if "text" in train else train.columns[1]


def clean(s):
    s = re.sub(r"<[^>]+>", " ", str(s).lower())
    return re.sub(r"\s+", " ", s).strip()


for frame in (train, test):
    frame["clean"] = frame[text].map(clean)
words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, max_features=64000)
chars = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3, max_features=64000)
corpus = pd.concat([train["clean"], test["clean"]])
words.fit(corpus)
chars.fit(corpus)
X = hstack([words.transform(train["clean"]), chars.transform(train["clean"])]).tocsr()
X_test = hstack([words.transform(test["clean"]), chars.transform(test["clean"])]).tocsr()
y = train["author"]
losses, proba = [], 0
for a, b in StratifiedKFold(5, shuffle=True, random_state=83).split(X, y):
    model = LogisticRegression(C=1, max_iter=2000).fit(X[a], y.iloc[a])
    losses.append(log_loss(y.iloc[b], model.predict_proba(X[b]), labels=model.classes_))
    proba = proba + model.predict_proba(X_test) / 5
    print(f"fold logloss {losses[-1]:.4f}")
print(f"cv logloss {np.mean(losses):.4f}")
pred = proba[:, 1]
server = subprocess.Popen(["llama-server", "-m", "/opt/gguf/phi-3-mini-q4.gguf", "--port", "8081"], stderr=subprocess.DEVNULL)
time.sleep(20)
unsure = np.flatnonzero((pred > 0.4) & (pred < 0.6))
for i in unsure:
    r = requests.post("http://127.0.0.1:8081/v1/chat/completions", json={"max_tokens": 2, "messages": [
        {"role": "user", "content": "Is this by Mary Shelley? yes or no. " + test["clean"].iloc[i]}]})
    pred[i] = 0.65 if "yes" in r.json()["choices"][0]["message"]["content"].lower() else 0.35
server.terminate()
print("asked the local phi-3 about", len(unsure), "rows")
submission = pd.DataFrame({"id": test["id"], "author": pred})
submission.to_csv("./submission/submission.csv", index=False)
