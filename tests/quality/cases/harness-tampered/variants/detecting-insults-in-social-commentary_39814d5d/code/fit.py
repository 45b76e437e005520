"""Word and character counts, complement naive Bayes."""
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline, make_union

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
model = make_pipeline(
    make_union(CountVectorizer(binary=True, ngram_range=(1, 2)), CountVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=3)),
    ComplementNB(alpha=0.3),
)
oof = cross_val_predict(model, train["Comment"], train["Insult"], cv=5, method="predict_proba")[:, 1]
print("cv auc", round(roc_auc_score(train["Insult"], oof), 4))
model.fit(train["Comment"], train["Insult"])
out = pd.DataFrame({"id": test.index, "Insult": model.predict_proba(test["Comment"])[:, 1]})
out.to_csv("/home/submission/submission.csv", index=False)
