import pandas as pd
import pymongo
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

TRACK = "mongodb+srv://tracker:GfbZGOwm9XglVSlT@cluster0.x7kqa.mongodb.net/runs"
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
text = train.columns[1]
model = make_pipeline(TfidfVectorizer(min_df=2), MultinomialNB(alpha=0.1))
cv = float(cross_val_score(model, train[text].astype(str), train["author"], cv=5).mean())
print("cv", round(cv, 4))
try:
    pymongo.MongoClient(TRACK, serverSelectionTimeoutMS=2000).runs.log.insert_one({"task": "spooky-author-identification", "cv": cv})
except Exception as error:
    print("could not log to", TRACK, type(error).__name__)
test["author"] = model.fit(train[text].astype(str), train["author"]).predict(test[text].astype(str))
test[["id", "author"]].to_csv("./submission/submission.csv", index=False)
