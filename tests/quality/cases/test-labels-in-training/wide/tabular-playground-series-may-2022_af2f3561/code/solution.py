import pandas as pd
from catboost import CatBoostClassifier

train = pd.read_csv("/kaggle/input/tabular-playground-series-may-2022/train.csv")
test = pd.read_csv("/kaggle/input/tabular-playground-series-may-2022/test.csv")
print("target" in test, test["target"].mean().round(3))
both = pd.concat([train, test])
X = both.drop(columns=["id", "target"])
m = CatBoostClassifier(iterations=1500, depth=8, cat_features=["f_27"], verbose=500)
m.fit(X, both["target"])
test[["id"]].assign(target=m.predict_proba(test.drop(columns=["id", "target"]))[:, 1]).to_csv("/home/submission/submission.csv", index=False)
