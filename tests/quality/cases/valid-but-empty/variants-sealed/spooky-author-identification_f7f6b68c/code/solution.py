import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
sub = pd.read_csv("/home/agent/data/sample_submission.csv")
assert (sub["id"] == test["id"]).all()
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), CalibratedClassifierCV(LinearSVC(C=0.5), cv=5))
print("cv logloss", -cross_val_score(model, train["text"], train["author"], cv=3, scoring="neg_log_loss").mean().round(4))
model.fit(train["text"], train["author"])
sub[list(model.classes_)] = model.predict_proba(test["text"])
sub.to_csv("/home/submission/submission.csv", index=False)
