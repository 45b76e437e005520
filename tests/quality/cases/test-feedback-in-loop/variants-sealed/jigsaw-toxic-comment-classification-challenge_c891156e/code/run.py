import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
models = [make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=3), LogisticRegression(C=4, max_iter=1000)),
          make_pipeline(TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), min_df=3), LogisticRegression(C=2, max_iter=1000))]
total = 0
for model in models:
    print("cv auc", cross_val_score(model, train["comment_text"], train["toxic"], cv=3, scoring="roc_auc").mean().round(4))
    total = total + model.fit(train["comment_text"], train["toxic"]).predict_proba(test["comment_text"])[:, 1] / 2
test[["id"]].assign(**{"toxic": total}).to_csv("/home/submission/submission.csv", index=False)
