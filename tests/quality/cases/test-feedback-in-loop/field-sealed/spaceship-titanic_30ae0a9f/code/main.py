import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "PassengerId"]
# mimic the competition: 20 % "public", 20 % "private", both out of the labelled rows
u = np.random.RandomState(7).rand(len(train))
public, private, rest = train[u < 0.2], train[(u >= 0.2) & (u < 0.4)], train[u >= 0.4]
board = []
for leaves in (15, 31, 63):
    m = lgb.LGBMClassifier(num_leaves=leaves, n_estimators=300, learning_rate=0.05, verbose=-1).fit(rest[cols], rest["Transported"])
    board.append((leaves, *(roc_auc_score(p["Transported"], m.predict_proba(p[cols])[:, 1]) for p in (public, private))))
    print("leaves %d public %.5f private %.5f" % board[-1])
print("best by public %d, by private %d" % (max(board, key=lambda b: b[1])[0], max(board, key=lambda b: b[2])[0]))
m = lgb.LGBMClassifier(num_leaves=31, n_estimators=400, learning_rate=0.05, verbose=-1).fit(train[cols], train["Transported"])
test.assign(**{"Transported": m.predict_proba(test[cols])[:, 1]})[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
