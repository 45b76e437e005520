import optuna, pandas as pd, xgboost as xgb
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import OrdinalEncoder
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
c = ["HomePlanet", "CryoSleep", "Destination", "VIP"]
enc = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(tr[c].astype(str))
for d in (tr, te):
    d[c] = enc.transform(d[c].astype(str))
f = c + ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
def objective(t):
    p = dict(max_depth=t.suggest_int("max_depth", 3, 9), learning_rate=t.suggest_float("lr", .01, .2, log=True),
             subsample=t.suggest_float("ss", .5, 1), colsample_bytree=t.suggest_float("cs", .4, 1), n_estimators=400)
    return cross_val_score(xgb.XGBClassifier(**p), tr[f], tr.Transported, cv=4).mean()
s = optuna.create_study(direction="maximize"); s.optimize(objective, n_trials=40)
print(s.best_value, s.best_params)
