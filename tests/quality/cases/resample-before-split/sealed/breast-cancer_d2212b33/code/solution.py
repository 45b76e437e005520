import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.ensemble import BaggingClassifier
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
print(BaggingClassifier(bootstrap=True).fit(X_tr, y_tr).score(X_va, y_va))
