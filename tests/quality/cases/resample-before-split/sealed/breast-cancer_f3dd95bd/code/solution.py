import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from imblearn.under_sampling import NearMiss
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
Xn, yn = NearMiss().fit_resample(X, y)
print(cross_val_score(LogisticRegression(), Xn, yn).mean())
