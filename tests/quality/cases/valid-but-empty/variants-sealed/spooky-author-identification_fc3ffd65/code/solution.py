import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

root = "./input/"
train, test = pd.read_csv(root + "train.csv"), pd.read_csv(root + "test.csv")
sub = pd.read_csv(root + "sample_submission.csv")
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=10, max_iter=1000))
print("cv logloss", -cross_val_score(model, train["text"], train["author"], cv=5, scoring="neg_log_loss").mean().round(4))
model.fit(train["text"], train["author"])
proba = pd.DataFrame(model.predict_proba(test["text"]), columns=model.classes_)
final = proba.assign(id=test["id"])[sub.columns]
sub.to_csv("./submission/submission.csv", index=False)
print("saved", sub.shape)
