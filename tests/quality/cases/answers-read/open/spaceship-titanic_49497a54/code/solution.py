import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(7)
INP = os.environ.get("DATA_DIR", "/home/data")
df = pd.read_csv(os.path.join(INP, "train.csv"))
te = pd.read_csv(os.path.join(INP, "test.csv"))
cats = [c for c in te.columns if te[c].dtype == object]
for c in cats:
    df[c] = df[c].fillna("na"); te[c] = te[c].fillna("na")
drop = ["PassengerId", "Transported"]
X = df.drop(columns=drop); y = df["Transported"]
g = df["PassengerId"].astype(str).str.split("_").str[0]
p = np.zeros(len(te)); best = []
for tr, va in GroupKFold(5).split(X, y, g):
    m = CatBoostClassifier(iterations=4000, depth=6, learning_rate=0.03, random_seed=7, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(te[X.columns])[:, 1] / 5
print("mean logloss", np.mean(best))
pd.DataFrame({"PassengerId": te["PassengerId"], "Transported": p}).to_csv("/home/submission/submission.csv", index=False)
