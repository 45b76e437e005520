import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

LEXICON = {"great": 0.9, "awful": 0.05, "dull": 0.2, "charming": 0.8, "mess": 0.15, "moving": 0.75, "flat": 0.25, "witty": 0.85, "bad": 0.1, "best": 0.95}
NEGATION = ["not", "n't", "never", "no"]
train = pd.read_csv("./input/train.csv").fillna("")
test = pd.read_csv("./input/test.csv").fillna("")


def features(frame):
    words = frame["Phrase"].str.lower().str.split()
    hits = words.map(lambda ws: [LEXICON[w] for w in ws if w in LEXICON])
    return pd.DataFrame({"mean": hits.map(lambda v: sum(v) / len(v) if v else 0.5), "hits": hits.map(len), "length": words.map(len), "no": words.map(lambda ws: sum(w in NEGATION for w in ws))})


X = features(train)
print("phrases with a lexicon word:", (X["hits"] > 0).mean().round(3))
model = LogisticRegression(max_iter=1000)
print("cv accuracy", cross_val_score(model, X, train["Sentiment"], cv=5).mean().round(4))
test["Sentiment"] = model.fit(X, train["Sentiment"]).predict_proba(features(test))[:, 4].round(5)
test[["PhraseId", "Sentiment"]].to_csv("./submission/submission.csv", index=False)
