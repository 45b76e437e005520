import numpy as np
import pandas as pd
from scipy.optimize import least_squares

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")


def pressure(theta, frame):
    resist, comply, base = theta
    return base + resist * frame["u_in"] / 10 + frame["volume"] / comply


fit = least_squares(lambda t: pressure(t, train) - train["pressure"], [5.0, 20.0, 5.0])
print("constants", fit.x.round(3), "mae", np.abs(fit.fun).mean().round(3))
test[["id"]].assign(**{"pressure": pressure(fit.x, test)}).to_csv("./submission/submission.csv", index=False)
