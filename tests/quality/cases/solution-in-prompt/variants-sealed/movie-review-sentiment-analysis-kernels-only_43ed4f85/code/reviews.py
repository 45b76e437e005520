import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline, make_union

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
model = make_pipeline(
    make_union(TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+"), TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3)),
    LogisticRegression(C=4, max_iter=400),
)
loss = -cross_val_score(model, train["Phrase"].fillna(""), train["Sentiment"], groups=train["SentenceId"], cv=GroupKFold(5), scoring="neg_log_loss")
print("log loss by sentence groups", loss.mean().round(4))
model.fit(train["Phrase"].fillna(""), train["Sentiment"])
test["Sentiment"] = model.predict(test["Phrase"].fillna(""))
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
