import polars as pl
import xgboost as xgb
from sklearn.model_selection import KFold

ROOT = "/home/data"
train = pl.read_csv(f"{ROOT}/train.csv")
test = pl.read_csv(f"{ROOT}/test.csv")
num = [c for c, t in zip(train.columns, train.dtypes) if t.is_numeric() and c not in ("PassengerId", "Transported")]
X, y = train.select(num).to_numpy(), train["Transported"].to_numpy()
rounds, preds = [], 0
for tr, va in KFold(8, shuffle=True, random_state=11).split(X):
    booster = xgb.train({"eta": 0.05, "max_depth": 7, "tree_method": "hist"}, xgb.DMatrix(X[tr], y[tr]), 1500,
                        evals=[(xgb.DMatrix(X[va], y[va]), "va")], early_stopping_rounds=60, verbose_eval=100)
    preds = preds + booster.predict(xgb.DMatrix(test.select(num).to_numpy())) / 8
    rounds.append(booster.best_score)
print("mean", sum(rounds) / len(rounds))
test.select("PassengerId").with_columns(pl.Series("Transported", preds)).write_csv("/home/submission/submission.csv")
