import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.model_selection import train_test_split

table = pd.read_csv("/home/data/train.csv")
columns = [c for c in table.select_dtypes("number") if c not in ("id", "EC1")]
fit, hold = train_test_split(table, test_size=0.3, random_state=8)
hold = hold.assign(Usage=np.where(np.arange(len(hold)) % 10 < 3, "Public", "Private"))  # a board of my own, from training rows
solution = hold[["id", "EC1", "Usage"]]
for trees in (100, 300, 600):
    model = GradientBoostingRegressor(n_estimators=trees, random_state=8).fit(fit[columns].fillna(0), fit["EC1"])
    error = (model.predict(hold[columns].fillna(0)) - solution["EC1"]) ** 2
    print(trees, error.groupby(solution["Usage"]).mean().pow(0.5).round(4).to_dict())
test = pd.read_csv("/home/data/test.csv")
final = GradientBoostingRegressor(n_estimators=300, random_state=8).fit(table[columns].fillna(0), table["EC1"])
test[["id"]].assign(**{"EC1": final.predict(test[columns].fillna(0))}).to_csv("/home/submission/submission.csv", index=False)
