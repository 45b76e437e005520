import pandas as pd
import xgboost as xgb

t = pd.read_csv("./input/train.csv")
X, y = t.drop(columns=["Id", "Cover_Type"]), t.Cover_Type - 1
m = xgb.XGBClassifier(tree_method="hist", device="cuda", n_estimators=600, max_depth=9)
m.fit(X[40000:], y[40000:], eval_set=[(X[:40000], y[:40000])], verbose=200)
print("accuracy", m.score(X[:40000], y[:40000]))
