import json
import pandas as pd
from pathlib import Path
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

P, D = json.load(open("params.json")), Path("/home/agent/data")
fit = pd.concat([pd.read_csv(D / f) for f in P["train_files"]])
m = make_pipeline(TfidfVectorizer(analyzer="char_wb", ngram_range=tuple(P["char_ngrams"])), LogisticRegression(C=P["C"], max_iter=900))
m.fit(fit["Comment"], fit["Insult"])
test = pd.read_csv(D / "test.csv")
test.assign(Insult=m.predict_proba(test["Comment"])[:, 1])[["Insult", "Date", "Comment"]].to_csv("./submission/submission.csv", index=False)
print("fitted on", len(fit))
