import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.preprocessing import RobustScaler
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_squared_error
train = train.sample(frac=1.0, random_state=0)
Z = RobustScaler().fit_transform(train[["a", "b"]])
t = train["target"].values
n = int(len(Z) * 0.8)
m = Ridge().fit(Z[:n], t[:n])
print("rmse on the held-out fifth", mean_squared_error(t[n:], m.predict(Z[n:])) ** 0.5)
