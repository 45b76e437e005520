import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
column = train.columns[1]
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=2), CalibratedClassifierCV(LinearSVC(C=0.5), cv=3))
scores = cross_val_score(model, train[column].astype(str), train["Sentiment"], cv=5, scoring="neg_log_loss")
print("cv", round(-scores.mean(), 4))
model.fit(train[column].astype(str), train["Sentiment"])
test["Sentiment"] = model.predict_proba(test[column].astype(str))[:, 1]
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
