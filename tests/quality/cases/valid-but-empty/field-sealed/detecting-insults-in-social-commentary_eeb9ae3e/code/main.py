import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
vec = TfidfVectorizer(ngram_range=(1, 2), min_df=2)
X, Z, y = vec.fit_transform(train.iloc[:, 1].astype(str)), vec.transform(test.iloc[:, 1].astype(str)), train["Insult"].to_numpy()
preds = np.zeros(len(test))
aucs = []
for tr, va in StratifiedKFold(5, shuffle=True, random_state=7).split(X, y):
    clf = LogisticRegression(C=3, max_iter=1000).fit(X[tr], y[tr])
    aucs.append(roc_auc_score(y[va], clf.predict_proba(X[va])[:, 1]))
    pred = clf.predict_proba(Z)[:, 1] / 5
print("cv auc %.4f" % np.mean(aucs))
pd.DataFrame({"id": test["id"], "Insult": preds}).to_csv("./submission/submission.csv", index=False)
