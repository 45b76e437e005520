import lightgbm as lgb
import pandas as pd

tr = pd.read_csv("./input/train.csv")
te = pd.read_csv("./input/test.csv")
for d in (tr, te):
    for i in range(10):
        d[f"c{i}"] = d.f_27.str[i].map(ord) - 65
    d["uniq"] = d.f_27.apply(lambda s: len(set(s)))
    d["i1"] = (d.f_21 + d.f_02 > 5.2).astype(int) - (d.f_21 + d.f_02 < -5.3).astype(int)
    d["i2"] = (d.f_05 + d.f_22 > 5.1).astype(int) - (d.f_05 + d.f_22 < -5.4).astype(int)
X = tr.drop(columns=["id", "target", "f_27"])
m = lgb.LGBMClassifier(n_estimators=4000, num_leaves=63, learning_rate=0.05).fit(X, tr.target)
te["target"] = m.predict_proba(te[X.columns])[:, 1]
te[["id", "target"]].to_csv("./submission/submission.csv", index=False)
