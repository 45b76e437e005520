import numpy as np
import optuna
import pandas as pd
import xgboost as xgb
from sklearn.model_selection import StratifiedKFold
from sklearn.metrics import roc_auc_score

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = list(test.select_dtypes("number").columns.drop("id"))


def objective(trial):
    p = dict(n_estimators=3000, max_depth=trial.suggest_int("depth", 4, 12),
             learning_rate=trial.suggest_float("lr", 0.005, 0.1, log=True), early_stopping_rounds=100)
    aucs = []
    for a, b in StratifiedKFold(5, shuffle=True, random_state=1).split(train, train["target"]):
        m = xgb.XGBClassifier(**p).fit(train.iloc[a][cols], train.iloc[a]["target"],
                                       eval_set=[(train.iloc[b][cols], train.iloc[b]["target"])], verbose=False)
        aucs.append(roc_auc_score(train.iloc[b]["target"], m.predict_proba(train.iloc[b][cols])[:, 1]))
    return float(np.mean(aucs))


study = optuna.create_study(direction="maximize")
study.optimize(objective, n_trials=300)
print("best", round(study.best_value, 5), study.best_params)
final = xgb.XGBClassifier(n_estimators=1200, max_depth=study.best_params["depth"], learning_rate=study.best_params["lr"])
final.fit(train[cols], train["target"])
test.assign(target=final.predict_proba(test[cols])[:, 1])[["id", "target"]].to_csv("./submission/submission.csv", index=False)
