import argparse

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import RandomizedSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler


class Dates:
    """Turns the expected arrival into numbers."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        out = X.copy()
        eta = pd.to_datetime(out["eta"])
        out["hour"] = eta.dt.hour
        out["weekday"] = eta.dt.weekday
        out["quarter"] = eta.dt.quarter
        return out.drop(columns="eta")


def build_model():
    numbers = Pipeline([("impute", SimpleImputer(strategy="median")), ("scale", StandardScaler())])
    words = Pipeline([
        ("impute", SimpleImputer(strategy="most_frequent")),
        ("encode", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)),
    ])
    columns = ColumnTransformer([
        ("numbers", numbers, ["hour", "weekday", "quarter", "length", "draught", "tonnage"]),
        ("words", words, ["port", "cargo", "flag"]),
    ])
    return Pipeline([("dates", Dates()), ("columns", columns), ("model", HistGradientBoostingRegressor())])


SPACE = {
    "model__learning_rate": [0.02, 0.05, 0.1],
    "model__max_leaf_nodes": [15, 31, 63],
    "model__min_samples_leaf": [10, 20, 50],
    "model__l2_regularization": [0.0, 0.5, 2.0],
    "model__loss": ["absolute_error", "squared_error"],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", default="../input")
    parser.add_argument("--tries", type=int, default=20)
    args = parser.parse_args()

    ships = pd.read_csv(f"{args.input}/ships.csv")
    data = pd.read_csv(f"{args.input}/train.csv").merge(ships, on="ship_id", how="left")
    fit, hold = train_test_split(data, test_size=0.2, random_state=3)
    search = RandomizedSearchCV(build_model(), SPACE, n_iter=args.tries, cv=4,
                                scoring="neg_mean_absolute_error", random_state=3, n_jobs=-1)
    search.fit(fit, fit["delay"])
    print("best", search.best_params_, -search.best_score_)
    print("held out", mean_absolute_error(hold["delay"], search.predict(hold)))

    final = search.best_estimator_.fit(data, data["delay"])
    test = pd.read_csv(f"{args.input}/test.csv").merge(ships, on="ship_id", how="left")
    delays = np.clip(final.predict(test), 0, None)
    pd.DataFrame({"visit_id": test["visit_id"], "delay": delays}).to_csv("submission.csv", index=False)


if __name__ == "__main__":
    main()
