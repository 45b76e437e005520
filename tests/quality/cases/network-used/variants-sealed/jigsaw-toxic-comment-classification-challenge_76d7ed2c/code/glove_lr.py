import gensim.downloader as api
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
vectors = api.load("glove-wiki-gigaword-100")


def embed(comment):
    found = [vectors[w] for w in comment.lower().split() if w in vectors]
    if not found:
        return np.zeros(200)
    return np.concatenate([np.mean(found, axis=0), np.max(found, axis=0)])


X = np.stack(train["comment_text"].fillna("").map(embed))
X_test = np.stack(test["comment_text"].fillna("").map(embed))
model = LogisticRegression(C=1.0, max_iter=1000, class_weight="balanced")
oof = cross_val_predict(model, X, train["toxic"], cv=4, method="predict_proba")[:, 1]
print("auc", round(roc_auc_score(train["toxic"], oof), 4))
test["toxic"] = model.fit(X, train["toxic"]).predict_proba(X_test)[:, 1]
test[["id", "toxic"]].to_csv("./submission/submission.csv", index=False)
