import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
np.random.seed(108)
train = pd.read_csv("/workspace/data/train.csv", nrows=300000)
test = pd.read_csv("/workspace/data/test.csv")
numeric = [c for c in test.select_dtypes("number").columns if c != "key"]
y = train["fare_amount"].clip(*train["fare_amount"].quantile([0.001, 0.999]))
preds, maes = [], []
for tr, va in KFold(4, shuffle=True, random_state=108).split(train):
    model = HistGradientBoostingRegressor(max_iter=600, learning_rate=0.05, loss="absolute_error")
    model.fit(train[numeric].iloc[tr], y.iloc[tr])
    maes.append(mean_absolute_error(y.iloc[va], model.predict(train[numeric].iloc[va])))
    preds.append(model.predict(test[numeric]))
    print("mae", round(maes[-1], 4))
pred = np.mean(preds, axis=0)
answer = test[["key"]].copy()
answer["fare_amount"] = pred
answer.to_csv("/home/submission/submission.csv", index=False)
print("mean mae", round(np.mean(maes), 4))
