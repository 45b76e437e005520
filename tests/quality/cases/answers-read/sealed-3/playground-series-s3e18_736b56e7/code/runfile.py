import lightgbm as lgb, pandas as pd
tr, te = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
f = [c for c in te if c != "id"]
out = te[["id"]].copy()
for t in ("EC1", "EC2"):
    out[t] = sum(lgb.LGBMClassifier(n_estimators=300, learning_rate=.02, num_leaves=15, random_state=s, colsample_bytree=.4, verbose=-1).fit(tr[f], tr[t]).predict_proba(te[f])[:, 1] for s in range(5)) / 5
out.to_csv("./submission/submission.csv", index=False)
