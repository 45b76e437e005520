import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from imblearn.over_sampling import SMOTE
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
X_res, y_res = SMOTE().fit_resample(X, y)
model = LogisticRegression().fit(X_res, y_res)
print('holdout', model.score(X_va, y_va))
