import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from category_encoders import WOEEncoder
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
enc = WOEEncoder().fit(X, y)
Xe = enc.transform(X)
print('cv', cross_val_score(LogisticRegression(), Xe, y, cv=5).mean())
