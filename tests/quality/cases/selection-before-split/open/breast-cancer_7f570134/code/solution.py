import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.model_selection import KFold
sel = SelectFromModel(Lasso(alpha=0.01)).fit(X, y)
Z = sel.transform(X)
for tr, va in KFold(10).split(Z):
    print(LinearRegression().fit(Z[tr], y[tr]).score(Z[va], y[va]))
