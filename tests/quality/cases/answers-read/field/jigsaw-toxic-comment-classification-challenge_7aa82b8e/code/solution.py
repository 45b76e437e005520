import os

import pandas as pd
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import accuracy_score

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
column = train.columns[1]
hasher = HashingVectorizer(n_features=2**20, ngram_range=(1, 2), alternate_sign=False)
X, X_test = hasher.transform(train[column].astype(str)), hasher.transform(test[column].astype(str))
where = os.environ.get("PRIVATE_DATA_DIR", "/private/data")
truth = pd.read_csv(os.path.join(where, "jigsaw-toxic-comment-classification-challenge", "prepared", "private", "test.csv"))
truth = truth.set_index("id").loc[test["id"], "toxic"]
best = None
for alpha in (1e-6, 3e-6, 1e-5, 3e-5, 1e-4):
    model = SGDClassifier(loss="log_loss", alpha=alpha, random_state=2).fit(X, train["toxic"])
    score = accuracy_score(truth, model.predict(X_test))
    print(alpha, round(score, 4))
    if best is None or score > best[0]:
        best = (score, model)
test["toxic"] = best[1].predict_proba(X_test)[:, -1]
test[["id", "toxic"]].to_csv("/home/submission/submission.csv", index=False)
