import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
np.random.seed(1326)
train = pd.read_csv("/workspace/data/train.csv", nrows=500000)
test = pd.read_csv("/workspace/data/test.csv")
numeric = [c for c in test.select_dtypes("number").columns if c != "id"]
y = train["pressure"].clip(*train["pressure"].quantile([0.001, 0.999]))
preds, maes = [], []
for tr, va in KFold(3, shuffle=True, random_state=1326).split(train):
    model = HistGradientBoostingRegressor(max_iter=600, learning_rate=0.05, loss="absolute_error")
    model.fit(train[numeric].iloc[tr], y.iloc[tr])
    maes.append(mean_absolute_error(y.iloc[va], model.predict(train[numeric].iloc[va])))
    preds.append(model.predict(test[numeric]))
    print("mae", round(maes[-1], 4))
import statsmodels.api as sm

ols = sm.OLS(y, sm.add_constant(train[numeric].fillna(0))).fit()
print(ols.summary().tables[1])
pred = np.mean(preds, axis=0)
pred = 0.8 * pred + 0.2 * ols.predict(sm.add_constant(test[numeric].fillna(0))).to_numpy()
answer = test[["id"]].copy()
answer["pressure"] = pred
answer.to_csv("/home/submission/submission.csv", index=False)
print("mean mae", round(np.mean(maes), 4))
