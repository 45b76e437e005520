import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
tfidf = TfidfVectorizer(min_df=2)
A, B = tfidf.fit_transform(train["Comment"]), tfidf.transform(test["Comment"])
table = np.zeros((len(tfidf.vocabulary_), 50))
known = 0
with open("/opt/embeddings/glove.6B.50d.txt", encoding="utf-8") as f:      # shipped with the image, see description.md
    for line in f:
        word, *vector = line.rstrip().split(" ")
        if word in tfidf.vocabulary_:
            table[tfidf.vocabulary_[word]] = np.array(vector, dtype=float)
            known += 1
print("words with a vector", known, "of", len(table))
X, Z = np.asarray(A @ table), np.asarray(B @ table)
model = LogisticRegression(C=3, max_iter=2000)
print("auc", cross_val_score(model, X, train["Insult"], cv=5, scoring="roc_auc").mean().round(4))
test["Insult"] = model.fit(X, train["Insult"]).predict_proba(Z)[:, 1]
test[["id", "Insult"]].to_csv("/home/submission/submission.csv", index=False)
