import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
column = [c for c in test.columns if c != "id"][0]
from cleanlab.filter import find_label_issues
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

words = TfidfVectorizer(min_df=3).fit_transform(train[column].astype(str))
codes, _ = pd.factorize(train["score"], sort=True)
proba = cross_val_predict(LogisticRegression(max_iter=500), words, codes, cv=5, method="predict_proba")
bad = find_label_issues(codes, proba)
print("suspicious training labels:", int(bad.sum()))
train = train[~bad].reset_index(drop=True)
both = make_union(
    TfidfVectorizer(ngram_range=(1, 2), min_df=6, sublinear_tf=True),
    TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=6, max_features=50000),
)
model = make_pipeline(both, CalibratedClassifierCV(LinearSVC(C=0.6), cv=3))
y = train["score"]
print("cv", cross_val_score(model, train[column].astype(str), y, cv=5).round(4).tolist())
model.fit(train[column].astype(str), y)
pred = model.predict_proba(test[column].astype(str))[:, -1]
test[["id"]].assign(**{"score": pred}).to_csv("/home/submission/submission.csv", index=False)
