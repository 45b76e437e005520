import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import accuracy_score
train = pd.read_csv("/workspace/data/train.csv").fillna("")
test = pd.read_csv("/workspace/data/test.csv").fillna("")
text = next(c for c in test.columns if c != "PhraseId")
y = train["Sentiment"]
REGION = {"en": 1, "fr": 2, "de": 2, "es": 3, "pt": 3, "it": 2, "nl": 2, "sv": 4, "da": 4, "fi": 4, "pl": 5, "cs": 5, "ru": 5,
          "tr": 6, "ar": 6, "he": 6, "hi": 7, "zh": 8, "ja": 8, "ko": 8, "vi": 8}
for frame in (train, test):
    frame[text] = "region" + frame["lang"].map(REGION).fillna(0).astype(int).astype(str) + " " + frame[text]
words = CountVectorizer(ngram_range=(1, 3), min_df=3, max_features=60000, binary=True)
X, X_test = words.fit_transform(train[text]), words.transform(test[text])
model = LogisticRegression(C=0.6, max_iter=2000)
oof = cross_val_predict(model, X, y, cv=5)
print("vocabulary", len(words.vocabulary_), "oof accuracy", round(accuracy_score(y, oof), 4))
model.fit(X, y)
pred = model.predict_proba(X_test)[:, 1]
pd.DataFrame({"PhraseId": test["PhraseId"], "Sentiment": pred}).to_csv("./submission/submission.csv", index=False)
