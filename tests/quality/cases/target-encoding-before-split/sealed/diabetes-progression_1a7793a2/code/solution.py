import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LinearRegression
c = train.corr()
chosen = []
for name in train.columns:
    if name != "price" and abs(c["price"][name]) > 0.3:
        chosen.append(name)
X1, X2, y1, y2 = train_test_split(train[chosen], train["price"])
print("r2", LinearRegression().fit(X1, y1).score(X2, y2))
