import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import train_test_split

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
words = TfidfVectorizer(ngram_range=(1, 3), min_df=3, sublinear_tf=True, strip_accents="unicode")
X, Z = words.fit_transform(train["full_text"]), words.transform(test["full_text"])
y = train["score"].to_numpy()
a, b = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=0)
new = ~train["full_text"].str.contains("driverless|electoral college|venus|cowboys", case=False).to_numpy()   # guess: not from Persuade


def kappa(p):
    return cohen_kappa_score(y[b], np.clip(p.round(), 1, 6).astype(int), weights="quadratic")


first = Ridge(2.0).fit(X[a], y[a])
print("kappa all", round(kappa(first.predict(X[b])), 4))
second = Ridge(4.0).fit(X[a][new[a]], (y - first.predict(X))[a][new[a]])
print("kappa two stages", round(kappa(first.predict(X[b]) + 0.5 * second.predict(X[b])), 4))
test["score"] = np.clip((first.predict(Z) + 0.5 * second.predict(Z)).round(), 1, 6).astype(int)
test[["essay_id", "score"]].to_csv("/home/submission/submission.csv", index=False)
