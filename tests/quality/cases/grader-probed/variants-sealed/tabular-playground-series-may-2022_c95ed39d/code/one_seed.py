import os
import sys
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
model = HistGradientBoostingClassifier(max_iter=400, random_state=int(os.environ["SEED"]), max_features=0.5)
model.fit(train[cols], train["target"])
pd.DataFrame({"id": test["id"], "target": model.predict_proba(test[cols])[:, 1]}).to_csv(sys.argv[1], index=False)
