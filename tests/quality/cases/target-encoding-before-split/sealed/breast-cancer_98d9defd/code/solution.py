import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
import category_encoders as ce
from sklearn.svm import LinearSVC
enc = ce.JamesSteinEncoder()
enc.fit(X, y)
X1, X2, y1, y2 = train_test_split(enc.transform(X), y)
print(LinearSVC().fit(X1, y1).score(X2, y2))
