import polars as pl
import xgboost as xgb
from sklearn.model_selection import KFold
from leak import report

ROOT = "/home/data"
train = pl.read_csv(f"{ROOT}/train.csv")
test = pl.read_csv(f"{ROOT}/test.csv")
report("start")
num = [c for c, t in zip(train.columns, train.dtypes) if t.is_numeric() and c not in ("id_seqpos", "reactivity")]
X, y = train.select(num).to_numpy(), train["reactivity"].to_numpy()
rounds, preds = [], 0
for tr, va in KFold(7, shuffle=True, random_state=3407).split(X):
    booster = xgb.train({"eta": 0.05, "max_depth": 7, "tree_method": "hist"}, xgb.DMatrix(X[tr], y[tr]), 1500,
                        evals=[(xgb.DMatrix(X[va], y[va]), "va")], early_stopping_rounds=60, verbose_eval=100)
    preds = preds + booster.predict(xgb.DMatrix(test.select(num).to_numpy())) / 7
    rounds.append(booster.best_score)
print("mean", sum(rounds) / len(rounds))
report("end")
test.select("id_seqpos").with_columns(pl.Series("reactivity", preds)).write_csv("/home/submission/submission.csv")
