import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import Ridge
best = X.corrwith(y).abs().nlargest(12).index
X1, X2, y1, y2 = train_test_split(X[best], y)
m = Ridge().fit(X1, y1)
print(m.score(X2, y2))
