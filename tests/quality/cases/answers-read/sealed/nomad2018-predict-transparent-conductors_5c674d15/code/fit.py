# xgboost regression, log target, simple time features
import logging
import sys

import numpy as np
import pandas as pd
import xgboost as xgb

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("nomad2018-predict-transparent-conductors")


def add_time(d):
    t = pd.to_datetime(d["timestamp"], utc=True)
    d["hour"], d["dow"], d["month"] = t.dt.hour, t.dt.dayofweek, t.dt.month
    return d.drop(columns=["timestamp"])


def main():
    tr_df = add_time(pd.read_csv("/home/data/train.csv"))
    te = add_time(pd.read_csv("/home/data/test.csv"))
    log.info("train %s test %s", tr_df.shape, te.shape)
    cols = [c for c in te if c != "id"]
    rng = np.random.default_rng(42)
    hold = rng.random(len(tr_df)) < 0.15
    dtr = xgb.DMatrix(tr_df.loc[~hold, cols], np.log1p(tr_df.loc[~hold, "bandgap_energy_ev"]))
    dva = xgb.DMatrix(tr_df.loc[hold, cols], np.log1p(tr_df.loc[hold, "bandgap_energy_ev"]))
    bst = xgb.train({"eta": 0.05, "max_depth": 7, "subsample": 0.8, "colsample_bytree": 0.7},
                    dtr, 3000, [(dva, "val")], early_stopping_rounds=50, verbose_eval=200)
    log.info("best %s at %s", bst.best_score, bst.best_iteration)
    te["bandgap_energy_ev"] = np.expm1(bst.predict(xgb.DMatrix(te[cols])))
    te[["id", "bandgap_energy_ev"]].to_csv("/home/submission/submission.csv", index=False)


if __name__ == "__main__":
    main()
