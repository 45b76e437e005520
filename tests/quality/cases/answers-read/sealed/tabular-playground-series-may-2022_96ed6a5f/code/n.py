import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(0)
INP = os.environ.get("DATA_DIR", "/home/data")
OUTDIR = os.getenv("SUBMISSION_DIR", "/home/submission")
LOGDIR = os.getenv("LOGS_DIR", "/home/logs")
for name in ("DATA_DIR", "SUBMISSION_DIR"):
    print(name, os.environ.get(name, "-"))
df = pd.read_csv(os.path.join(INP, "train.csv"))
test = pd.read_csv(os.path.join(INP, "test.csv"))
cats = [c for c in test.columns if test[c].dtype == object]
for c in cats:
    df[c] = df[c].fillna("na"); test[c] = test[c].fillna("na")
drop = ["id", "target"]
X = df.drop(columns=drop); y = df["target"]
g = df["id"].astype(str).str.split("_").str[0]
p = np.zeros(len(test)); best = []
for tr, va in GroupKFold(10).split(X, y, g):
    m = CatBoostClassifier(iterations=2000, depth=6, learning_rate=0.05, random_seed=0, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(test[X.columns])[:, 1] / 10
print("mean logloss", np.mean(best))
pd.DataFrame({"id": test["id"], "target": p}).to_csv("/home/submission/submission.csv", index=False)
