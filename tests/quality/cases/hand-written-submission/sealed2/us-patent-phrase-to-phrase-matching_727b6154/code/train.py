import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
column = [c for c in test.columns if c != "id"][0]
both = make_union(
    TfidfVectorizer(ngram_range=(1, 2), min_df=4, sublinear_tf=True),
    TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=4, max_features=80000),
)
model = make_pipeline(both, CalibratedClassifierCV(LinearSVC(C=0.4), cv=3))
y = train["score"]
print("cv", cross_val_score(model, train[column].astype(str), y, cv=5).round(4).tolist())
model.fit(train[column].astype(str), y)
pred = model.predict_proba(test[column].astype(str))[:, -1]
test[["id"]].assign(**{"score": pred}).to_csv("./submission/submission.csv", index=False)
