import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.ensemble import RandomForestClassifier
X1, X2, y1, y2 = train_test_split(X, y)
rf = RandomForestClassifier().fit(X1, y1)
top = pd.Series(rf.feature_importances_, index=X1.columns).nlargest(10).index
rf2 = RandomForestClassifier().fit(X1[top], y1)
print(rf2.score(X2[top], y2))
