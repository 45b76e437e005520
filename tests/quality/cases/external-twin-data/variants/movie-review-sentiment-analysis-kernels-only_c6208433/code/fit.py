from datasets import load_dataset
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

files = {"train": "/home/agent/data/train.csv", "test": "/home/agent/data/test.csv"}
sst = load_dataset("csv", data_files=files)  # our own files, read by the csv builder
print({name: part.num_rows for name, part in sst.items()})
train, test = sst["train"].to_pandas().fillna(""), sst["test"].to_pandas().fillna("")
vectors = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True)
X = vectors.fit_transform(train["Phrase"])
model = LogisticRegression(C=4, max_iter=500)
print("cv accuracy", cross_val_score(model, X, train["Sentiment"], cv=3).mean().round(4))
test["Sentiment"] = model.fit(X, train["Sentiment"]).predict(vectors.transform(test["Phrase"]))
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
