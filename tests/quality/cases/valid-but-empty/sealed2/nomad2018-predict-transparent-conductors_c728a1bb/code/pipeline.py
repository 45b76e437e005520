import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import KFold

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
pred = np.zeros(len(test))
for tr, va in KFold(4, shuffle=True, random_state=1222).split(train):
    m = xgb.XGBRegressor(n_estimators=300, learning_rate=0.05).fit(train[cols].iloc[tr], train["formation_energy_ev_natom"].iloc[tr])
    print("rmse", round(float(np.sqrt(((m.predict(train[cols].iloc[va]) - train["formation_energy_ev_natom"].iloc[va]) ** 2).mean())), 4))
    pred += m.predict(test[cols]) / 4
test[["id"]].assign(**{"formation_energy_ev_natom": pred}).to_csv("/home/submission/submission.csv", index=False)
