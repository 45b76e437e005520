import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
X1, X2, y1, y2 = train_test_split(X, y)
p = LogisticRegression().fit(X1, y1).predict_proba(X2)[:, 1]
best_f1 = 0
for t in np.arange(0.1, 0.9, 0.01):
    f = f1_score(y2, p > t)
    if f > best_f1:
        best_f1, best_t = f, t
print("F1", best_f1)
