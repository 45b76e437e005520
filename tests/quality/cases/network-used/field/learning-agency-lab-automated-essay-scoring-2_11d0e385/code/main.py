import re

import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

URL = re.compile(r"(?:https?://|www\.)\S+")
SITES = {"youtube": "https://www.youtube.com", "wiki": "https://en.wikipedia.org", "imgur": "http://imgur.com"}
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
column = train.columns[1]
for frame in (train, test):
    texts = frame[column].astype(str)
    for name, start in SITES.items():
        print(name, int(texts.str.contains(start, regex=False).sum()))
    frame[column] = [URL.sub(" someurl ", s) for s in texts]
model = make_pipeline(TfidfVectorizer(min_df=2, ngram_range=(1, 2)), LogisticRegression(C=5, max_iter=2000))
print("cv", round(cross_val_score(model, train[column], train["score"], cv=5).mean(), 4))
test["score"] = model.fit(train[column], train["score"]).predict_proba(test[column])[:, -1]
test[["essay_id", "score"]].to_csv("/home/submission/submission.csv", index=False)
