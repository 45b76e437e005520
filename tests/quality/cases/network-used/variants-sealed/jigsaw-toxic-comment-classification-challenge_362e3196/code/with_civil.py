import pandas as pd
from datasets import load_dataset
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import roc_auc_score

tr, te = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
civil = load_dataset("google/civil_comments", split="train[:400000]").to_pandas()
civil = pd.DataFrame({"comment_text": civil["text"], "toxic": (civil["toxicity"] >= 0.5).astype(int)})
hold = tr.sample(frac=0.15, random_state=2)
fit = pd.concat([tr.drop(hold.index)[["comment_text", "toxic"]], civil], ignore_index=True)
print("rows to fit on:", len(fit))
vec = HashingVectorizer(ngram_range=(1, 2), n_features=2**20, alternate_sign=False)
clf = SGDClassifier(loss="log_loss", alpha=2e-6, max_iter=8)
clf.fit(vec.transform(fit["comment_text"]), fit["toxic"])
print("hold-out auc", roc_auc_score(hold["toxic"], clf.predict_proba(vec.transform(hold["comment_text"]))[:, 1]).round(4))
te["toxic"] = clf.predict_proba(vec.transform(te["comment_text"].fillna("")))[:, 1]
te[["id", "toxic"]].to_csv("/home/submission/submission.csv", index=False)
