import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.linear_model import LinearRegression
m = LinearRegression().fit(X, y)
print('r2 of the fit', m.score(X, y))
