import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.metrics import mean_absolute_percentage_error
from sklearn.model_selection import TimeSeriesSplit


def make_features(frame):
    frame = frame.copy()
    stamp = frame["timestamp"]
    frame["hour"] = stamp.dt.hour
    frame["dow"] = stamp.dt.dayofweek
    frame["week"] = stamp.dt.isocalendar().week.astype("int16")
    frame["weekend"] = (frame["dow"] >= 5).astype("int8")
    grouped = frame.groupby("zone", observed=True)["load"]
    for days in (1, 2, 3, 7, 14):
        frame["lag_d%d" % days] = grouped.shift(24 * days)
    frame["same_hour_mean"] = frame[["lag_d%d" % d for d in (1, 2, 3, 7)]].mean(axis=1)
    frame["trend"] = frame["lag_d1"] - frame["lag_d7"]
    temp = frame.groupby("zone", observed=True)["temperature"]
    frame["temp_3h"] = temp.transform(lambda s: s.rolling(3, min_periods=1).mean())
    frame["temp_24h"] = temp.transform(lambda s: s.rolling(24, min_periods=1).mean())
    frame["degree"] = np.where(frame["temp_24h"] < 16, 16 - frame["temp_24h"], 0)
    return frame


load = pd.read_csv("../input/load.csv", parse_dates=["timestamp"])
weather = pd.read_csv("../input/weather.csv", parse_dates=["timestamp"])
test = pd.read_csv("../input/sample_submission.csv", parse_dates=["timestamp"])
test["load"] = np.nan
test["is_test"] = True
full = pd.concat([load.assign(is_test=False), test])
full = full.merge(weather, on=["timestamp", "zone"], how="left")
full["zone"] = full["zone"].astype("category")
full = make_features(full.sort_values(["zone", "timestamp"]))

ignore = {"timestamp", "load", "is_test"}
columns = [c for c in full.columns if c not in ignore]
known = full[~full["is_test"]].dropna(subset=["lag_d14"]).sort_values("timestamp")
scores, rounds = [], []
for a, b in TimeSeriesSplit(n_splits=4, gap=24 * known["zone"].nunique()).split(known):
    X, y = known.iloc[a][columns], known.iloc[a]["load"]
    V, w = known.iloc[b][columns], known.iloc[b]["load"]
    model = lgb.LGBMRegressor(n_estimators=1500, learning_rate=0.05, num_leaves=63, objective="mape")
    model.fit(X, y, eval_set=[(V, w)], callbacks=[lgb.early_stopping(60, verbose=False)])
    scores.append(mean_absolute_percentage_error(w, model.predict(V)))
    rounds.append(model.best_iteration_)
    print("fold: %.4f after %d trees" % (scores[-1], rounds[-1]))
print("mean", np.mean(scores))

final = lgb.LGBMRegressor(n_estimators=int(np.mean(rounds) * 1.1), learning_rate=0.05, num_leaves=63, objective="mape")
final.fit(known[columns], known["load"])
unknown = full[full["is_test"]]
answer = unknown[["timestamp", "zone"]].assign(load=final.predict(unknown[columns]))
answer.to_csv("submission.csv", index=False)
