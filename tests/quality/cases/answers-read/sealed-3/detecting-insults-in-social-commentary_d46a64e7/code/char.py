import pandas as pd
from sklearn.pipeline import make_pipeline, make_union
from sklearn.feature_extraction.text import TfidfVectorizer as V
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
D = "/private/data/detecting-insults-in-social-commentary/prepared/public/"
tr, te = pd.read_csv(D + "train.csv"), pd.read_csv(D + "test.csv")
m = make_pipeline(make_union(V(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True), V(ngram_range=(1, 2))), LogisticRegression(C=3, max_iter=2000))
print(cross_val_score(m, tr.Comment, tr.Insult, cv=5, scoring="roc_auc"))
te["Insult"] = m.fit(tr.Comment, tr.Insult).predict_proba(te.Comment)[:, 1]
te.to_csv("/home/submission/submission.csv", index=False)
