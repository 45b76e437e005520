import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

tr, te = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
m = make_pipeline(TfidfVectorizer(min_df=3, sublinear_tf=True), LogisticRegression(C=3, max_iter=1000))
m.fit(tr["comment_text"], tr["toxic"])
te["toxic"] = m.predict_proba(te["comment_text"])[:, 1].round(6)
te[["id", "toxic"]].to_csv("/home/submission/submission.csv", index=False)
