import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from imblearn.over_sampling import RandomOverSampler
from sklearn.tree import DecisionTreeClassifier

def fit(features, labels):
    f, l = RandomOverSampler(random_state=0).fit_resample(features, labels)
    return DecisionTreeClassifier().fit(f, l)

X_tr, X_va, y_tr, y_va = train_test_split(X, y)
print(fit(X_tr, y_tr).score(X_va, y_va))
