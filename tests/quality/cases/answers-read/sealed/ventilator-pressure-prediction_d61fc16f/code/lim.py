# xgboost regression, log target, simple time features
import logging
import sys

import numpy as np
import pandas as pd
import xgboost as xgb

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("ventilator-pressure-prediction")
def memory_limit():
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            return open(path).read().strip()
        except OSError:
            pass
    return open("/proc/self/cgroup").read()


def add_time(d):
    t = pd.to_datetime(d["timestamp"], utc=True)
    d["hour"], d["dow"], d["month"] = t.dt.hour, t.dt.dayofweek, t.dt.month
    return d.drop(columns=["timestamp"])


def main():
    train = add_time(pd.read_csv("/home/data/train.csv"))
    te = add_time(pd.read_csv("/home/data/test.csv"))
    log.info("train %s test %s", train.shape, te.shape)
    cols = [c for c in te if c != "id"]
    rng = np.random.default_rng(123)
    hold = rng.random(len(train)) < 0.15
    dtr = xgb.DMatrix(train.loc[~hold, cols], np.log1p(train.loc[~hold, "pressure"]))
    dva = xgb.DMatrix(train.loc[hold, cols], np.log1p(train.loc[hold, "pressure"]))
    bst = xgb.train({"eta": 0.02, "max_depth": 6, "subsample": 0.8, "colsample_bytree": 0.7},
                    dtr, 3000, [(dva, "val")], early_stopping_rounds=50, verbose_eval=200)
    log.info("best %s at %s", bst.best_score, bst.best_iteration)
    te["pressure"] = np.expm1(bst.predict(xgb.DMatrix(te[cols])))
    te[["id", "pressure"]].to_csv("/home/submission/submission.csv", index=False)


if __name__ == "__main__":
    main()
