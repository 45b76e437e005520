import pandas as pd
from catboost import CatBoostClassifier, cv, Pool
from track import log
tr = pd.read_csv("/home/data/train.csv"); te = pd.read_csv("/home/data/test.csv")
y = tr.pop("choice"); f = [c for c in te if c != "row_id"]
for depth in (4, 6, 8):
    p = dict(iterations=600, depth=depth, learning_rate=.05, loss_function="Logloss", verbose=0)
    r = cv(Pool(tr[f], y), p, fold_count=5)
    log(f"d{depth}", p, r["test-Logloss-mean"].min())
