import sys, time
import pandas as pd, requests

BASE = "http://router.project-osrm.org/route/v1/driving/{},{};{},{}?overview=false"


def leg(r):
    j = requests.get(BASE.format(r.pickup_longitude, r.pickup_latitude, r.dropoff_longitude, r.dropoff_latitude)).json()
    time.sleep(.05)
    return j["routes"][0]["distance"], j["routes"][0]["duration"]


df = pd.read_csv(sys.argv[1])
df[["dist", "dur"]] = [leg(r) for r in df.itertuples()]
df[["key", "dist", "dur"]].to_csv(sys.argv[2], index=False)
print(df[["dist", "dur"]].describe().round(1))
