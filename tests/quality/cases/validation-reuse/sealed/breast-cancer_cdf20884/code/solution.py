import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from imblearn.over_sampling import BorderlineSMOTE
from sklearn.ensemble import ExtraTreesClassifier

def balance(features, labels):
    sampler = BorderlineSMOTE(random_state=2)
    return sampler.fit_resample(features, labels)

Xb, yb = balance(X, y)
a, b, c, d = train_test_split(Xb, yb, test_size=0.3)
clf = ExtraTreesClassifier(200).fit(a, c)
print("accuracy on held-out rows", clf.score(b, d))
