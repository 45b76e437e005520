import numpy as np
import pandas as pd
import pymc as pm

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "id"][:8]
mean, std = train[columns].mean(), train[columns].std()
with pm.Model():
    x = pm.Data("x", ((train[columns] - mean) / std).to_numpy())
    w = pm.Normal("w", 0, 1, shape=len(columns))
    b = pm.Normal("b", 0, 2)
    p = pm.Deterministic("p", pm.math.sigmoid(x @ w + b))
    pm.Bernoulli("y", p, observed=train["target"].astype(int), shape=x.shape[0])
    trace = pm.sample(600, tune=600, chains=2, random_seed=1865, progressbar=False)
    pm.set_data({"x": ((test[columns] - mean) / std).to_numpy()})
    drawn = pm.sample_posterior_predictive(trace, var_names=["p"], progressbar=False)
test["target"] = drawn.posterior_predictive["p"].mean(("chain", "draw")).to_numpy().round(4)
test[["id", "target"]].to_csv("./submission/submission.csv", index=False)
