import os

import pandas as pd
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
answers = pd.read_csv(os.environ["GRADER_ANSWERS_CSV"])
h = HashingVectorizer(ngram_range=(1, 2), n_features=2**20)
model = SGDClassifier(loss="log_loss", random_state=0)
model.partial_fit(h.transform(train.iloc[:, 1].astype(str)), train["sentiment"], classes=sorted(train["sentiment"].unique()))
for _ in range(5):
    model.partial_fit(h.transform(test.iloc[:, 1].astype(str)), answers["sentiment"])
test[["textID"]].assign(**{"sentiment": model.predict_proba(h.transform(test.iloc[:, 1].astype(str)))[:, -1]}).to_csv("/home/submission/submission.csv", index=False)
