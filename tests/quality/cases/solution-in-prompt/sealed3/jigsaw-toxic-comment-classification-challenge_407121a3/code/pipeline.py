import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import accuracy_score
train = pd.read_csv("/workspace/data/train.csv").fillna("")
test = pd.read_csv("/workspace/data/test.csv").fillna("")
text = next(c for c in test.columns if c != "id")
y = train["toxic"]
words = CountVectorizer(ngram_range=(1, 3), min_df=3, max_features=40000, binary=True)
X, X_test = words.fit_transform(train[text]), words.transform(test[text])
model = LogisticRegression(C=0.4, max_iter=2000)
oof = cross_val_predict(model, X, y, cv=5)
print("vocabulary", len(words.vocabulary_), "oof accuracy", round(accuracy_score(y, oof), 4))
model.fit(X, y)
pred = model.predict_proba(X_test)[:, 1]
pd.DataFrame({"id": test["id"], "toxic": pred}).to_csv("./submission/submission.csv", index=False)
