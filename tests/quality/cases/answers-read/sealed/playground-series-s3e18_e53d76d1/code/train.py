import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(7)
INP = os.environ.get("DATA_DIR", "/home/data")
train = pd.read_csv(os.path.join(INP, "train.csv"))
test_df = pd.read_csv(os.path.join(INP, "test.csv"))
cats = [c for c in test_df.columns if test_df[c].dtype == object]
for c in cats:
    train[c] = train[c].fillna("na"); test_df[c] = test_df[c].fillna("na")
drop = ["id", "EC1"]
X = train.drop(columns=drop); y = train["EC1"]
g = train["id"].astype(str).str.split("_").str[0]
p = np.zeros(len(test_df)); best = []
for tr, va in GroupKFold(10).split(X, y, g):
    m = CatBoostClassifier(iterations=2000, depth=7, learning_rate=0.05, random_seed=7, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(test_df[X.columns])[:, 1] / 10
print("mean logloss", np.mean(best))
pd.DataFrame({"id": test_df["id"], "EC1": p}).to_csv("/home/submission/submission.csv", index=False)
