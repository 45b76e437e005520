import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score

train = pd.read_csv("./input/train.tsv", sep="\t")
test = pd.read_csv("./input/test.tsv", sep="\t")
vec = TfidfVectorizer(ngram_range=(1, 3), min_df=2, token_pattern=r"\S+")
X = vec.fit_transform(train["Phrase"].fillna(""))
model = LogisticRegression(C=3, max_iter=400, n_jobs=-1)
folds = list(GroupKFold(4).split(X, groups=train["SentenceId"]))
print("cv accuracy by sentence", cross_val_score(model, X, train["Sentiment"], cv=folds).mean().round(4))
test["Sentiment"] = model.fit(X, train["Sentiment"]).predict(vec.transform(test["Phrase"].fillna("")))
print(test["Sentiment"].value_counts(normalize=True).round(3).to_dict())
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
