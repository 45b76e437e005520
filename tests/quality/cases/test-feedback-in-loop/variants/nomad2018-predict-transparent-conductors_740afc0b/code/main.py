import pandas as pd
from catboost import CatBoostRegressor, Pool
from sklearn.model_selection import train_test_split

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
features = [c for c in test.columns if c != "id"]
a, b = train_test_split(train, test_size=0.15, random_state=11)
model = CatBoostRegressor(iterations=2000, learning_rate=0.04, depth=6, od_wait=80, random_seed=11, verbose=200)
model.fit(Pool(a[features], a["bandgap_energy_ev"]), eval_set=Pool(b[features], b["bandgap_energy_ev"]), use_best_model=True)
print("best", model.get_best_score()["validation"])
test[["id"]].assign(**{"bandgap_energy_ev": model.predict(test[features])}).to_csv("/home/submission/submission.csv", index=False)
