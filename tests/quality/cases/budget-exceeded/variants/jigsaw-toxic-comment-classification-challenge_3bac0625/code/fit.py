import pandas as pd
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import roc_auc_score

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
lengths = train["comment_text"].str.split().map(len)
print("total_tokens:", lengths.sum() * 5, "in five passes; max tokens per row", lengths.max())
vec = HashingVectorizer(n_features=2**20, ngram_range=(1, 2), alternate_sign=False)
hold = train.sample(frac=0.1, random_state=0).index
model = SGDClassifier(loss="log_loss", alpha=1e-6, max_iter=5, tol=None, random_state=0)
model.fit(vec.transform(train.drop(hold)["comment_text"]), train.drop(hold)["toxic"])
print("auc", roc_auc_score(train.loc[hold, "toxic"], model.predict_proba(vec.transform(train.loc[hold, "comment_text"]))[:, 1]))
test["toxic"] = model.predict_proba(vec.transform(test["comment_text"]))[:, 1]
test[["id", "toxic"]].to_csv("/home/submission/submission.csv", index=False)
