import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
import xgboost as xgb
res = xgb.cv({'objective': 'binary:logistic'}, xgb.DMatrix(X, label=y), 200, nfold=5)
print(res.tail(1))
