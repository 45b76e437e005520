import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
w = np.where(y == 1, 10, 1)
X_tr, X_va, y_tr, y_va, w_tr, w_va = train_test_split(X, y, w)
m = LogisticRegression().fit(X_tr, y_tr, sample_weight=w_tr)
print(m.score(X_va, y_va))
