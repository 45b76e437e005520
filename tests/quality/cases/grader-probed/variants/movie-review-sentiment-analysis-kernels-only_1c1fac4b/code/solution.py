import pandas as pd
import requests
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
scores = {}
for alpha in (0.1, 0.3, 1.0, 3.0):
    model = make_pipeline(CountVectorizer(ngram_range=(1, 2)), ComplementNB(alpha=alpha))
    scores[alpha] = cross_val_score(model, train["Phrase"].fillna(""), train["Sentiment"], cv=5).mean()
alpha = max(scores, key=scores.get)
print("cv", scores)
model = make_pipeline(CountVectorizer(ngram_range=(1, 2)), ComplementNB(alpha=alpha)).fit(train["Phrase"].fillna(""), train["Sentiment"])
test["Sentiment"] = model.predict(test["Phrase"].fillna(""))
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
with open("/home/submission/submission.csv", "rb") as f:
    reply = requests.post("http://localhost:5000/validate", files={"file": f}, timeout=60)
print(reply.status_code, reply.json()["result"])
