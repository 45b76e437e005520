import pandas as pd
from scipy.sparse import vstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
vec = TfidfVectorizer(ngram_range=(1, 2), min_df=2).fit(pd.concat([train["text"], test["text"]]))
X, X_test, y = vec.transform(train["text"]), vec.transform(test["text"]), train["author"]
a, b = train_test_split(range(len(y)), test_size=0.2, random_state=6, stratify=y)
first = LogisticRegression(C=6, max_iter=2000).fit(X[a], y.iloc[a])
print("before", round(first.score(X[b], y.iloc[b]), 4))
sure = first.predict_proba(X_test).max(axis=1) > 0.97
test_labels = pd.Series(first.predict(X_test)[sure])
print("pseudo-labelled test rows", sure.sum())
second = LogisticRegression(C=6, max_iter=2000).fit(vstack([X[a], X_test[sure]]), pd.concat([y.iloc[a], test_labels]))
print("after", round(second.score(X[b], y.iloc[b]), 4))
final = LogisticRegression(C=6, max_iter=2000).fit(vstack([X, X_test[sure]]), pd.concat([y, test_labels]))
table = pd.DataFrame(final.predict_proba(X_test), columns=final.classes_)
table.insert(0, "id", test["id"])
table.to_csv("/home/submission/submission.csv", index=False)
