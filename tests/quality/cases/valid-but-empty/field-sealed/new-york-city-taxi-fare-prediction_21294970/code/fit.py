import numpy as np
import pandas as pd

train = pd.read_csv("/home/agent/data/train.csv", nrows=1_000_000).dropna()
test = pd.read_csv("/home/agent/data/test.csv")
edges = [-1, 1, 2, 3, 5, 8, 12, 18, 1e4]


def bucket(d):
    dy = (d["dropoff_latitude"] - d["pickup_latitude"]) * 111
    dx = (d["dropoff_longitude"] - d["pickup_longitude"]) * 84
    return pd.cut(np.hypot(dx, dy), edges, labels=False)


half = np.arange(len(train)) % 2 == 0
means = train[half].groupby(bucket(train[half]))["fare_amount"].mean()
error = train[~half]["fare_amount"] - bucket(train[~half]).map(means)
print("bucket model, holdout rmse", round(float((error ** 2).mean() ** 0.5), 3))
test["fare_amount"] = bucket(test).map(means).round(2)
test[["key", "fare_amount"]].to_csv("/home/submission/submission.csv", index=False)
