import numpy as np
import pandas as pd
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
Z = StandardScaler().fit_transform(pd.concat([train[cols], test[cols]]).fillna(0))
W = kneighbors_graph(Z, 10, mode="connectivity")
f = np.r_[train["malignant"].to_numpy(float), np.full(len(test), train["malignant"].mean())]
for _ in range(30):
    f = np.asarray(W @ f) / 10
    f[: len(train)] = train["malignant"]
test[["id"]].assign(**{"malignant": f[len(train):]}).to_csv("/home/submission/submission.csv", index=False)
