import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
from sklearn.metrics import accuracy_score
best = 0
for c in [0.01, 0.1, 1, 10, 100]:
    m = LogisticRegression(C=c).fit(X_tr, y_tr)
    acc = accuracy_score(y_va, m.predict(X_va))
    if acc > best:
        best, best_c = acc, c
print("validation accuracy", best)
