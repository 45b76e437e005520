import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.feature_selection import mutual_info_classif
from sklearn.svm import SVC
mi = pd.Series(mutual_info_classif(X, y), index=X.columns)
keep = mi[mi > 0.02].index
X1, X2, y1, y2 = train_test_split(X[keep], y)
print(SVC().fit(X1, y1).score(X2, y2))
