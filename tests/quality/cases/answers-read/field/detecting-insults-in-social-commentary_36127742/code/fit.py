import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import classification_report
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB

data = pd.read_csv("/home/data/train.csv")
column = data.columns[1]
X_train, X_test, y_train, true_labels = train_test_split(
    data[column].astype(str), data["Insult"], test_size=0.15, random_state=5, stratify=data["Insult"])
bag = CountVectorizer(min_df=2, binary=True)
model = MultinomialNB(alpha=0.2).fit(bag.fit_transform(X_train), y_train)
# the labels of X_test are known here: both are parts of train.csv
print(classification_report(true_labels, model.predict(bag.transform(X_test)), digits=3))
submission = pd.read_csv("/home/data/test.csv")
model.fit(bag.fit_transform(data[column].astype(str)), data["Insult"])
submission["Insult"] = model.predict_proba(bag.transform(submission[column].astype(str)))[:, 1]
submission[["id", "Insult"]].to_csv("/home/submission/submission.csv", index=False)
