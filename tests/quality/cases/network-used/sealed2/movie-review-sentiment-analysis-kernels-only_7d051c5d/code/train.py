import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC
train = pd.read_csv("/workspace/data/train.csv")
test = pd.read_csv("/workspace/data/test.csv")
column = [c for c in test.columns if c != "PhraseId"][0]
from urllib.parse import urlsplit

for frame in (train, test):
    links = frame[column].astype(str).str.extract(r"(https?://\S+)")[0].fillna("")
    frame["host"] = links.map(lambda u: urlsplit(u).netloc)
both = make_union(
    TfidfVectorizer(ngram_range=(1, 2), min_df=6, sublinear_tf=True),
    TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=6, max_features=40000),
)
model = make_pipeline(both, CalibratedClassifierCV(LinearSVC(C=0.6), cv=3))
y = train["Sentiment"]
print("cv", cross_val_score(model, train[column].astype(str), y, cv=5).round(4).tolist())
model.fit(train[column].astype(str), y)
pred = model.predict_proba(test[column].astype(str))[:, -1]
test[["PhraseId"]].assign(**{"Sentiment": pred}).to_csv("/home/submission/submission.csv", index=False)
