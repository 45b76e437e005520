import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import train_test_split

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]


def grader_metric(predicted, matrix):
    """RMSLE like the official grader, for early stopping on my validation part"""
    truth = matrix.get_label()
    return "rmsle", float(np.sqrt(np.mean((np.log1p(np.clip(predicted, 0, None)) - np.log1p(truth)) ** 2)))


a, b = train_test_split(train, test_size=0.2, random_state=6)
da, db = (xgb.DMatrix(part[cols], part["bandgap_energy_ev"].clip(lower=0)) for part in (a, b))
booster = xgb.train({"eta": 0.05, "max_depth": 6, "disable_default_eval_metric": 1}, da, 1500, [(db, "valid")],
                    custom_metric=grader_metric, early_stopping_rounds=50, verbose_eval=200)
test["bandgap_energy_ev"] = booster.predict(xgb.DMatrix(test[cols]))
test[["id", "bandgap_energy_ev"]].to_csv("/home/submission/submission.csv", index=False)
