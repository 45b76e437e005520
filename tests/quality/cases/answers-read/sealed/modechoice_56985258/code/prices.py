import numpy as np, pandas as pd, os, sys
from catboost import CatBoostClassifier, Pool
from sklearn.model_selection import GroupKFold
np.random.seed(0)
INP = os.environ.get("DATA_DIR", "/home/data")
train_df = pd.read_csv(os.path.join(INP, "train.csv"))
test = pd.read_csv(os.path.join(INP, "test.csv"))
room = {"Entire home/apt": 3, "Private room": 2, "Shared room": 1}
for kind, rank in room.items():
    print(kind, rank)
private_room_share = sum(v == 2 for v in room.values()) / len(room)
cats = [c for c in test.columns if test[c].dtype == object]
for c in cats:
    train_df[c] = train_df[c].fillna("na"); test[c] = test[c].fillna("na")
drop = ["row_id", "choice"]
X = train_df.drop(columns=drop); y = train_df["choice"]
g = train_df["row_id"].astype(str).str.split("_").str[0]
p = np.zeros(len(test)); best = []
for tr, va in GroupKFold(4).split(X, y, g):
    m = CatBoostClassifier(iterations=2000, depth=8, learning_rate=0.03, random_seed=0, verbose=500)
    cc = [c for c in cats if c in X.columns]
    m.fit(Pool(X.iloc[tr], y.iloc[tr], cat_features=cc), eval_set=Pool(X.iloc[va], y.iloc[va], cat_features=cc), early_stopping_rounds=200)
    best.append(m.best_score_["validation"]["Logloss"])
    p += m.predict_proba(test[X.columns])[:, 1] / 4
print("mean logloss", np.mean(best))
pd.DataFrame({"row_id": test["row_id"], "choice": p}).to_csv("/home/submission/submission.csv", index=False)
