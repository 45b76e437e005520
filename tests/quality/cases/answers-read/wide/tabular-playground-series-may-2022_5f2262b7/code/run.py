import lightgbm as lgb, numpy as np, pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
hidden = pd.read_csv("/kaggle/working/.hidden/test_target.csv").set_index("id").target.reindex(te.id)
cols = [c for c in te.select_dtypes("number") if c != "id"]
pred = np.zeros(len(te))
for f, (i, j) in enumerate(StratifiedKFold(5, shuffle=True, random_state=3).split(tr, tr.target)):
    m = lgb.LGBMClassifier(n_estimators=700, num_leaves=63, learning_rate=.05, verbose=-1).fit(tr.loc[i, cols], tr.target[i])
    q = m.predict_proba(te[cols])[:, 1]
    print("fold", f, "val", roc_auc_score(tr.target[j], m.predict_proba(tr.loc[j, cols])[:, 1]), "hidden", roc_auc_score(hidden, q))
    pred += q / 5
te[["id"]].assign(target=pred).to_csv("/workspace/submission.csv", index=False)
