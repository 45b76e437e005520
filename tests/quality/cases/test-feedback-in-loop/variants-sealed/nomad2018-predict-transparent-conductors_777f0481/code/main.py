import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import GridSearchCV

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
columns = [c for c in test.columns if c != "id"]
search = GridSearchCV(
    HistGradientBoostingRegressor(random_state=0),
    {"learning_rate": [0.03, 0.1], "max_leaf_nodes": [15, 31, 63]},
    cv=5, scoring="neg_root_mean_squared_error", n_jobs=4)
search.fit(train[columns], train["bandgap_energy_ev"])
print("cv rmse", round(-search.best_score_, 4), search.best_params_)
test["bandgap_energy_ev"] = search.predict(test[columns])
test[["id", "bandgap_energy_ev"]].to_csv("/home/submission/submission.csv", index=False)
