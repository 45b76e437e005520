import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.linear_model import LogisticRegression
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import StratifiedKFold
from sklearn.metrics import log_loss
vec = TfidfVectorizer(min_df=3)
X = vec.fit_transform(train["text"])
y = train["target"].values
scores = []
for tr, va in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
    clf = LogisticRegression().fit(X[tr], y[tr])
    scores.append(log_loss(y[va], clf.predict_proba(X[va])))
print("cv", np.mean(scores))
