import numpy as np

# category_encoders 1.3 still asks for the removed aliases
if not hasattr(np, "bool"):
    np.bool = bool
if not hasattr(np, "float"):
    np.float = float

import category_encoders as ce
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
X, y = train.drop(columns=["PassengerId", "Transported"]), train["Transported"]
model = make_pipeline(ce.BinaryEncoder(), MaxAbsScaler(), LogisticRegression(C=0.5, max_iter=2000))
print("auc", cross_val_score(model, X, y, cv=5, scoring="roc_auc").round(4))
model.fit(X, y)
test["Transported"] = model.predict_proba(test[X.columns])[:, 1]
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
