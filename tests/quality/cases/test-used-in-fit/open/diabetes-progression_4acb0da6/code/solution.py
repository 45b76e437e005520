import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import KFold
from sklearn.linear_model import Ridge
oof = np.zeros(len(X))
for tr, va in KFold(5).split(X):
    oof[va] = Ridge().fit(X.iloc[tr], y.iloc[tr]).predict(X.iloc[va])
from sklearn.metrics import r2_score
print('oof r2', r2_score(y, oof))
