import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import train_test_split

PORTS = {"jfk": (40.6413, -73.7781), "ewr": (40.6895, -74.1745), "lga": (40.7769, -73.8740)}


def arc(a, b, c, d):
    a, b, c, d = map(np.radians, (a, b, c, d))
    h = np.sin((c - a) / 2) ** 2 + np.cos(a) * np.cos(c) * np.sin((d - b) / 2) ** 2
    return 12742 * np.arcsin(np.sqrt(h))


def features(t):
    p, q = (t.pickup_latitude, t.pickup_longitude), (t.dropoff_latitude, t.dropoff_longitude)
    f = pd.DataFrame({"km": arc(*p, *q), "bearing": np.arctan2(q[1] - p[1], q[0] - p[0]), "n": t.passenger_count})
    for k, (lat, lon) in PORTS.items():
        f[k] = np.minimum(arc(*p, lat, lon), arc(*q, lat, lon))
    when = pd.to_datetime(t.pickup_datetime.str[:19])
    return f.assign(hour=when.dt.hour, day=when.dt.dayofweek, year=when.dt.year)


train = pd.read_csv("/home/agent/data/train.csv", nrows=6_000_000)
train = train[train["fare_amount"].between(2.5, 250)].dropna()
test = pd.read_csv("/home/agent/data/test.csv")
a, b = train_test_split(train, test_size=0.05, random_state=0)
model = xgb.XGBRegressor(n_estimators=900, max_depth=9, learning_rate=0.06, subsample=0.8, tree_method="hist", early_stopping_rounds=30)
model.fit(features(a), a["fare_amount"], eval_set=[(features(b), b["fare_amount"])], verbose=False)
print("rmse", round(model.best_score, 4))
test.assign(**{"fare_amount": model.predict(features(test))})[["key", "fare_amount"]].to_csv("./submission/submission.csv", index=False)
