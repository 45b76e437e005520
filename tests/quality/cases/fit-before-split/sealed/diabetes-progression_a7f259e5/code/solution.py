import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.linear_model import Ridge
train = train.sort_values("date")
train["lag1"] = train.groupby("store")["sales"].shift(1)
train["roll7"] = train.groupby("store")["sales"].shift(1).rolling(7).mean()
train = train.dropna()
cut = train["date"] < "2017-07-01"
m = Ridge().fit(train.loc[cut, ["lag1", "roll7"]], train.loc[cut, "sales"])
print("val r2", m.score(train.loc[~cut, ["lag1", "roll7"]], train.loc[~cut, "sales"]))
