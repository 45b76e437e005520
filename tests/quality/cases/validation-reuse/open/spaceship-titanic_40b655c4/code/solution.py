import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from imblearn.over_sampling import RandomOverSampler
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
Xr, yr = RandomOverSampler().fit_resample(X, y)
print("cv f1", cross_val_score(RandomForestClassifier(), Xr, yr, cv=5, scoring="f1").mean())
