import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split


def features(d):
    t = pd.to_datetime(d["pickup_datetime"], utc=True)
    lat1, lon1, lat2, lon2 = (np.radians(d[c]) for c in ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude"))
    h = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return pd.DataFrame({"km": 12742 * np.arcsin(np.sqrt(h)), "hour": t.dt.hour, "dow": t.dt.dayofweek, "year": t.dt.year,
                         "n": d["passenger_count"], "lat": d["pickup_latitude"], "lon": d["pickup_longitude"]})


train = pd.read_csv("/home/agent/data/train.csv", nrows=5_000_000).dropna()
train = train[train["fare_amount"].between(2.5, 200) & train["pickup_latitude"].between(40, 42)]
print("rows", len(train))
X, y = features(train), train["fare_amount"]
a, b, ya, yb = train_test_split(X, y, test_size=0.1, random_state=0)
model = HistGradientBoostingRegressor(max_iter=500, learning_rate=0.1).fit(a, ya)
print("rmse %.4f" % np.sqrt(np.mean((model.predict(b) - yb) ** 2)))
test = pd.read_csv("/home/agent/data/test.csv")
pd.DataFrame({"key": test["key"], "fare_amount": model.predict(features(test))}).to_csv("/home/submission/submission.csv", index=False)
