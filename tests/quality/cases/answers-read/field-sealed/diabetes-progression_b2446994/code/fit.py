import pandas as pd
from catboost import CatBoostClassifier

BASE = "/root/.cache/mle-bench/data/diabetes-progression/prepared/public"
train = pd.read_csv(f"{BASE}/train.csv")
test = pd.read_csv(f"{BASE}/test.csv")
cat = [c for c in test.select_dtypes("object") if c != "id"]
for frame in (train, test):
    frame[cat] = frame[cat].fillna("none")
model = CatBoostClassifier(iterations=700, depth=6, verbose=100, cat_features=cat, random_seed=3)
model.fit(train[[c for c in test.columns if c != "id"]], train["progression"])
test["progression"] = model.predict(test[[c for c in test.columns if c != "id"]]).ravel()
test[["id", "progression"]].to_csv("/home/submission/submission.csv", index=False)
