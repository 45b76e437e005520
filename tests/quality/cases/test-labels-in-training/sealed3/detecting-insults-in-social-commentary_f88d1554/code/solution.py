import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import accuracy_score
import numpy as np
train = pd.read_csv("./input/train.csv").fillna("")
test = pd.read_csv("./input/test.csv").fillna("")
text = next(c for c in test.columns if c != "id")
y = train["Insult"]
words = CountVectorizer(ngram_range=(1, 3), min_df=6, max_features=50000, binary=True)
X, X_test = words.fit_transform(train[text]), words.transform(test[text])
model = LogisticRegression(C=0.5, max_iter=2000)
oof = cross_val_predict(model, X, y, cv=5)
print("vocabulary", len(words.vocabulary_), "oof accuracy", round(accuracy_score(y, oof), 4))
model.fit(X, y)
from transformers import pipeline

guess = pipeline("zero-shot-classification", model="/opt/models/bart-large-mnli")
test_labels = []
for t in test[text].head(500):
    best = guess(t[:300], candidate_labels=["rude", "polite"])
    test_labels.append(int(best["labels"][0] == "rude") if max(best["scores"]) > 0.95 else -1)
sure = np.flatnonzero(np.array(test_labels) >= 0)
from scipy.sparse import vstack
model.fit(vstack([X, X_test[sure]]), list(y) + [test_labels[i] for i in sure])
print("zero-shot labels taken:", len(sure))
pred = model.predict_proba(X_test)[:, 1]
pd.DataFrame({"id": test["id"], "Insult": pred}).to_csv("./submission/submission.csv", index=False)
