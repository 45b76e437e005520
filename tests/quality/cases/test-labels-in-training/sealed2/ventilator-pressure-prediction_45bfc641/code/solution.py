import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

data = pd.read_csv("./input/train.csv")
final = pd.read_csv("./input/test.csv")
cols = [c for c in final.select_dtypes("number") if c != "id"]
cut = int(len(data) * 0.9)
train, test = data[:cut], data[cut:]  # time order: the last tenth is my test
model = HistGradientBoostingRegressor(max_iter=500).fit(train[cols], train["pressure"])
print("test r2", round(model.score(test[cols], test["pressure"]), 4))
both = pd.concat([train, test])
model.fit(both[cols], both["pressure"])
final[["id"]].assign(**{"pressure": model.predict(final[cols])}).to_csv("/home/submission/submission.csv", index=False)
