import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
X1, X2, y1, y2 = train_test_split(X, y)
rf = RandomForestClassifier().fit(X1, y1)
print(rf.score(X2, y2))
pd.Series(rf.feature_importances_, index=X.columns).plot.bar()
