"""Two levels: linear and boosted models below, a ridge on top."""
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import cross_val_predict, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

SEED = 2024
CATEGORICAL = ["port", "cargo", "flag"]


def load(name):
    frame = pd.read_csv("../input/%s.csv" % name)
    ships = pd.read_csv("../input/ships.csv").drop_duplicates("ship_id")
    frame = pd.merge(frame, ships, how="left", on="ship_id")
    eta = pd.to_datetime(frame.pop("eta"))
    frame["day_of_year"] = eta.dt.dayofyear
    frame["minute_of_day"] = eta.dt.hour * 60 + eta.dt.minute
    frame["sin_day"] = np.sin(2 * np.pi * frame["minute_of_day"] / 1440)
    frame["cos_day"] = np.cos(2 * np.pi * frame["minute_of_day"] / 1440)
    return frame


def numeric_columns(frame):
    skipped = set(CATEGORICAL) | {"visit_id", "ship_id", "delay"}
    return [c for c in frame.columns if c not in skipped]


def prepared(numeric):
    return make_column_transformer(
        (StandardScaler(), numeric),
        (OneHotEncoder(handle_unknown="ignore"), CATEGORICAL),
        sparse_threshold=0,
    )


train, test = load("train"), load("test")
numeric = numeric_columns(train)
medians = train[numeric].median()
train[numeric] = train[numeric].fillna(medians)
test[numeric] = test[numeric].fillna(medians)
for column in CATEGORICAL:
    train[column] = train[column].fillna("unknown")
    test[column] = test[column].fillna("unknown")
y = np.log1p(train["delay"].values)

base = {
    "ridge": Ridge(alpha=8.0),
    "forest": RandomForestRegressor(n_estimators=300, min_samples_leaf=5, n_jobs=-1, random_state=SEED),
    "boosting": GradientBoostingRegressor(n_estimators=400, max_depth=4, subsample=0.7, random_state=SEED),
}
folds = KFold(5, shuffle=True, random_state=SEED)
level_one, level_one_test = [], []
for name, model in base.items():
    pipe = make_pipeline(prepared(numeric), model)
    inside = cross_val_predict(pipe, train, y, cv=folds)
    print("%-10s %.4f" % (name, mean_absolute_error(np.expm1(y), np.expm1(inside))))
    level_one.append(inside)
    level_one_test.append(pipe.fit(train, y).predict(test))

top = RidgeCV(alphas=[0.01, 0.1, 1, 10])
top.fit(np.column_stack(level_one), y)
print("weights", dict(zip(base, top.coef_.round(3))))
answer = np.expm1(top.predict(np.column_stack(level_one_test)))
pd.DataFrame({"visit_id": test["visit_id"], "delay": answer}).to_csv("stack.csv", index=False)
