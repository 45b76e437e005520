import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
np.random.seed(1281)
train = pd.read_csv("/home/data/train.csv", nrows=800000)
test = pd.read_csv("/home/data/test.csv")
numeric = [c for c in test.select_dtypes("number").columns if c != "Id"]
MASS = {"Al": 26.982, "Ga": 69.723, "In": 114.818, "O": 15.999}
RADIUS = {"Al": 0.535, "Ga": 0.62, "In": 0.8, "O": 1.4}
for frame in (train, test):
    frame["mean_mass"] = sum(frame.get(f"percent_atom_{e.lower()}", 0.0) * m for e, m in MASS.items())
    frame["mean_radius"] = sum(frame.get(f"percent_atom_{e.lower()}", 0.0) * r for e, r in RADIUS.items())
numeric += ["mean_mass", "mean_radius"]
y = train["Pawpularity"].clip(*train["Pawpularity"].quantile([0.001, 0.999]))
preds, maes = [], []
for tr, va in KFold(6, shuffle=True, random_state=1281).split(train):
    model = HistGradientBoostingRegressor(max_iter=600, learning_rate=0.05, loss="absolute_error")
    model.fit(train[numeric].iloc[tr], y.iloc[tr])
    maes.append(mean_absolute_error(y.iloc[va], model.predict(train[numeric].iloc[va])))
    preds.append(model.predict(test[numeric]))
    print("mae", round(maes[-1], 4))
pred = np.mean(preds, axis=0)
answer = test[["Id"]].copy()
answer["Pawpularity"] = pred
answer.to_csv("/home/submission/submission.csv", index=False)
print("mean mae", round(np.mean(maes), 4))
