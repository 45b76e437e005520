import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
column = [c for c in test.columns if c != "id"][0]
both = make_union(
    TfidfVectorizer(ngram_range=(1, 2), min_df=4, sublinear_tf=True),
    TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=4, max_features=60000),
)
model = make_pipeline(both, CalibratedClassifierCV(LinearSVC(C=0.4), cv=3))
y = train["Insult"]
print("cv", cross_val_score(model, train[column].astype(str), y, cv=5).round(4).tolist())
model.fit(train[column].astype(str), y)
pred = model.predict_proba(test[column].astype(str))[:, -1]
from sklearn.linear_model import LogisticRegression

a, b = TfidfVectorizer(min_df=2), TfidfVectorizer(analyzer="char", ngram_range=(2, 4), min_df=2)
A, B = a.fit_transform(train[column].astype(str)), b.fit_transform(train[column].astype(str))
one, two = LogisticRegression(max_iter=500).fit(A, y), LogisticRegression(max_iter=500).fit(B, y)
p = one.predict_proba(a.transform(test[column].astype(str)))
sure = p.max(1) > 0.97
from scipy.sparse import vstack
two.fit(vstack([B, b.transform(test[column].astype(str))[sure]]), list(y) + list(one.classes_[p.argmax(1)[sure]]))
pred = two.predict_proba(b.transform(test[column].astype(str)))[:, -1]
test[["id"]].assign(**{"Insult": pred}).to_csv("./submission/submission.csv", index=False)
