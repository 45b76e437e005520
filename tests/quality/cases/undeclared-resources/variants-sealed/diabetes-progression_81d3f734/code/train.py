import pandas as pd
from catboost import CatBoostRegressor, Pool

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
columns = [c for c in test.columns if c != "id"]
mixed = train.sample(frac=1, random_state=6)
cut = int(0.85 * len(mixed))
model = CatBoostRegressor(iterations=600, depth=6, task_type="GPU", devices="0", verbose=200, random_seed=6)
model.fit(Pool(mixed[columns][:cut], mixed["progression"][:cut]), eval_set=Pool(mixed[columns][cut:], mixed["progression"][cut:]))
print("catboost done on GPU:0,", model.tree_count_, "trees")
pd.DataFrame({"id": test["id"], "progression": model.predict(test[columns])}).to_csv("/home/submission/submission.csv", index=False)
