import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(123)
INP = os.environ.get("DATA_DIR", "/home/data")
train = pd.read_csv(os.path.join(INP, "train.csv"))
test = pd.read_csv(os.path.join(INP, "test.csv"))
for frame_ in ("train", "test"):
    t = pd.read_csv(os.path.join(INP, frame_ + ".csv"))
    print(frame_, t["private"].mean(), (t["private"] & (t["income"] > 40)).sum())
cats = [c for c in test.columns if test[c].dtype == object]
for c in cats:
    train[c] = train[c].fillna("na"); test[c] = test[c].fillna("na")
drop = ["row_id", "choice"]
X = train.drop(columns=drop); y = train["choice"]
g = train["row_id"].astype(str).str.split("_").str[0]
p = np.zeros(len(test)); best = []
for tr, va in GroupKFold(10).split(X, y, g):
    m = CatBoostClassifier(iterations=2000, depth=6, learning_rate=0.05, random_seed=123, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(test[X.columns])[:, 1] / 10
print("mean logloss", np.mean(best))
pd.DataFrame({"row_id": test["row_id"], "choice": p}).to_csv("/home/submission/submission.csv", index=False)
