import optuna
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import cross_val_score

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number").columns if c != "id"]
X, y = train[cols].fillna(-1), train["choice"].astype(int)


def objective(trial):
    model = ExtraTreesClassifier(
        n_estimators=trial.suggest_int("n_estimators", 100, 700, step=100),
        min_samples_leaf=trial.suggest_int("leaf", 1, 20),
        max_features=trial.suggest_float("max_features", 0.2, 1.0), n_jobs=-1)
    return cross_val_score(model, X, y, cv=5, scoring="accuracy").mean()


study = optuna.create_study(direction="maximize")
study.optimize(objective, n_trials=30)
best = ExtraTreesClassifier(n_estimators=study.best_params["n_estimators"], min_samples_leaf=study.best_params["leaf"],
                            max_features=study.best_params["max_features"]).fit(X, y)
print("best score", study.best_value)
test.assign(**{"choice": best.predict(test[cols].fillna(-1))})[["id", "choice"]].to_csv("/home/submission/submission.csv", index=False)
