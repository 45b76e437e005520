import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
vec = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), max_features=60000, sublinear_tf=True)
X, X_test = vec.fit_transform(train["comment_text"]), vec.transform(test["comment_text"])
out = test[["id"]].copy()
for name in ("threat", "toxic"):
    model = LogisticRegression(C=2, max_iter=500)
    print(name, "rate", train[name].mean().round(4), "auc", cross_val_score(model, X, train[name], cv=4, scoring="roc_auc").mean().round(4))
    out[name] = model.fit(X, train[name]).predict_proba(X_test)[:, 1]
out.to_csv("/home/submission/submission.csv", index=False)
