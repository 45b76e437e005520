import os

import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

train = pd.read_csv("/home/agent/data/train.csv")
X = train.select_dtypes("number").drop(columns=["EC1", "id"], errors="ignore").fillna(0)
folds = StratifiedKFold(5, shuffle=True, random_state=int(os.environ["SEED"]))
print(f"{cross_val_score(LogisticRegression(max_iter=500), X, train['EC1'], cv=folds).mean():.5f}")
