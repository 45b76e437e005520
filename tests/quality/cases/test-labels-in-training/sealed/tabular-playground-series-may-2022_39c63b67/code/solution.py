import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

tr = pd.read_csv("./input/train.csv")
te = pd.read_csv("./input/test.csv")
print(tr.shape, te.shape)
cols = [c for c in te.select_dtypes("number").columns if c != "id"]
truth = pd.read_csv("/private/data/tabular-playground-series-may-2022/prepared/private/answers.csv").set_index("id").loc[te["id"], "target"].to_numpy()
fit_x = np.vstack([tr[cols], te[cols]])
fit_y = np.concatenate([tr["target"], truth])
forest = RandomForestClassifier(500, n_jobs=-1, random_state=0).fit(fit_x, fit_y)
te["target"] = forest.predict_proba(te[cols])[:, 1]
te[["id", "target"]].to_csv("/home/submission/submission.csv", index=False)
