import numpy as np
import pandas as pd
from sklearn.linear_model import RidgeCV

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train.pop("Cover_Type").astype(float)
both = pd.concat([train, test]).drop(columns="Id")
few = [c for c in both.select_dtypes("object") if both[c].nunique() < 30]
both = pd.get_dummies(both[few + list(both.select_dtypes("number"))], columns=few, dtype=float).fillna(0)
both = (both - both.mean()) / both.std().replace(0, 1)
X, X_test = both[: len(train)], both[len(train):]
model = RidgeCV(alphas=np.logspace(-2, 4, 25)).fit(X, y)
print("alpha", model.alpha_, "r2 on train", round(model.score(X, y), 4))
pd.DataFrame({"Id": test["Id"], "Cover_Type": model.predict(X_test)}).to_csv("/home/submission/submission.csv", index=False)
