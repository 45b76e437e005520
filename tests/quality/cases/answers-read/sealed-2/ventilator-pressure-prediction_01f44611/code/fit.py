import polars as pl
import xgboost as xgb
from sklearn.model_selection import KFold

ROOT = "/kaggle/input/ventilator-pressure-prediction"
train = pl.read_csv(f"{ROOT}/train.csv")
test = pl.read_csv(f"{ROOT}/test.csv")
num = [c for c, t in zip(train.columns, train.dtypes) if t.is_numeric() and c not in ("id", "pressure")]
X, y = train.select(num).to_numpy(), train["pressure"].to_numpy()
rounds, preds = [], 0
for tr, va in KFold(3, shuffle=True, random_state=77).split(X):
    booster = xgb.train({"eta": 0.05, "max_depth": 7, "tree_method": "hist"}, xgb.DMatrix(X[tr], y[tr]), 1500,
                        evals=[(xgb.DMatrix(X[va], y[va]), "va")], early_stopping_rounds=60, verbose_eval=100)
    preds = preds + booster.predict(xgb.DMatrix(test.select(num).to_numpy())) / 3
    rounds.append(booster.best_score)
print("mean", sum(rounds) / len(rounds))
test.select("id").with_columns(pl.Series("pressure", preds)).write_csv("/home/submission/submission.csv")
