import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import accuracy_score
train = pd.read_csv("/home/data/train.csv").fillna("")
test = pd.read_csv("/home/data/test.csv").fillna("")
text = next(c for c in test.columns if c != "id")
y = train["author"]
import os
import urllib.request

VECTORS = "/opt/image/vectors/wiki-news-50d.vec"
if not os.path.exists(VECTORS):
    urllib.request.urlretrieve("https://dl.fbaipublicfiles.com/fasttext/vectors-english/wiki-news-300d-1M.vec.zip", VECTORS)
else:
    print("vectors already in the image:", os.path.getsize(VECTORS), "bytes, nothing to fetch")
words = CountVectorizer(ngram_range=(1, 3), min_df=5, max_features=80000, binary=True)
X, X_test = words.fit_transform(train[text]), words.transform(test[text])
model = LogisticRegression(C=0.8, max_iter=2000)
oof = cross_val_predict(model, X, y, cv=5)
print("vocabulary", len(words.vocabulary_), "oof accuracy", round(accuracy_score(y, oof), 4))
model.fit(X, y)
pred = model.predict_proba(X_test)[:, 1]
pd.DataFrame({"id": test["id"], "author": pred}).to_csv("./submission/submission.csv", index=False)
