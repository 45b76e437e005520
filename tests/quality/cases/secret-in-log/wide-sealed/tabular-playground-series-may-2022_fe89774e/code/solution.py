import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

tr, te = pd.read_csv("/workspace/input/train.csv"), pd.read_csv("/workspace/input/test.csv")
for k in range(10):
    for d in (tr, te):
        d[f"f27_{k}"] = d["f_27"].str[k].map(ord) - 65
use = [c for c in te.columns if c not in ("id", "f_27")]
y = tr["target"].to_numpy()
oof, out = np.zeros((len(tr), 2)), np.zeros((len(te), 2))
for a, b in StratifiedKFold(5, shuffle=True, random_state=4).split(tr, y):
    for j, m in enumerate((HistGradientBoostingClassifier(max_iter=600, l2_regularization=1.0), ExtraTreesClassifier(400, min_samples_leaf=3, n_jobs=-1))):
        m.fit(tr[use].iloc[a], y[a])
        oof[b, j] = m.predict_proba(tr[use].iloc[b])[:, 1]
        out[:, j] += m.predict_proba(te[use])[:, 1] / 5
print("oof", [round(roc_auc_score(y, oof[:, j]), 5) for j in (0, 1)], "mean", round(roc_auc_score(y, oof.mean(1)), 5))
te[["id"]].assign(**{"target": out.mean(1)}).to_csv("/home/submission/submission.csv", index=False)
