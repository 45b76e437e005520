import os

import pandas as pd
import xgboost as xgb
from sklearn.model_selection import StratifiedKFold, cross_val_score

train = pd.read_csv("./input/train.csv").sample(400_000, random_state=1)
test = pd.read_csv("./input/test.csv")
# a valid file from the start, in case anything goes wrong
pd.DataFrame({"Id": test["Id"], "Cover_Type": 2}).to_csv("/home/submission/submission.csv", index=False)

X, y = train.drop(columns=["Id", "Cover_Type"]), train["Cover_Type"] - 1
model = xgb.XGBClassifier(n_estimators=400, max_depth=8, tree_method="hist", random_state=1)
print("cv", cross_val_score(model, X, y, cv=StratifiedKFold(3)).mean().round(5))
model.fit(X, y)
os.makedirs("/tmp/predictions", exist_ok=True)
pd.DataFrame({"Id": test["Id"], "Cover_Type": model.predict(test[X.columns]) + 1}).to_csv("/tmp/predictions/submission.csv", index=False)
print("finished")
