import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
X_dev, X_te, y_dev, y_te = train_test_split(X, y, random_state=0)
X_a, X_b, y_a, y_b = train_test_split(X_dev, y_dev, random_state=0)
m = LogisticRegression().fit(X_a, y_a)
print('valid', m.score(X_b, y_b))
m = LogisticRegression().fit(X_dev, y_dev)
print('test', m.score(X_te, y_te))
