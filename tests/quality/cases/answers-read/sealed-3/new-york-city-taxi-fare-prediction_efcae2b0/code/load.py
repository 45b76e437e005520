import gc
import numpy as np, pandas as pd
T = {"fare_amount": "float32", "pickup_longitude": "float32", "pickup_latitude": "float32", "dropoff_longitude": "float32", "dropoff_latitude": "float32", "passenger_count": "uint8"}
parts = []
for i, c in enumerate(pd.read_csv("/home/data/labels.csv", dtype=T, chunksize=2_000_000, usecols=list(T) + ["pickup_datetime"])):
    c["pickup_datetime"] = pd.to_datetime(c.pickup_datetime.str.slice(0, 16), utc=True, format="%Y-%m-%d %H:%M")
    c = c[c.fare_amount.between(2.5, 250) & c.pickup_longitude.between(-75, -72) & c.pickup_latitude.between(40, 42)]
    parts.append(c); gc.collect(); print(i, len(c), f"{sum(p.memory_usage().sum() for p in parts) / 1e9:.2f} GB")
    if i == 9: break
pd.concat(parts).to_feather("train.feather")
