import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC
from sklearn.naive_bayes import GaussianNB
X1, X2, y1, y2 = train_test_split(X, y)
for m in (SVC(), GaussianNB()):
    print(type(m).__name__, m.fit(X1, y1).score(X2, y2))
