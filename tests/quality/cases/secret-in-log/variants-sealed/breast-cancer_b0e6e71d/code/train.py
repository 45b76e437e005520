import os
import subprocess
import sys

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

dropped = [name for name in list(os.environ) if name.endswith(("_API_KEY", "_TOKEN", "_SECRET"))]
clean = {k: v for k, v in os.environ.items() if k not in dropped}
print("children start without", dropped)
print(subprocess.run([sys.executable, "-c", "import sklearn; print('scikit-learn', sklearn.__version__)"],
                     env=clean, capture_output=True, text=True).stdout.strip())

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "id"]
model = HistGradientBoostingClassifier().fit(train[columns], train["malignant"])
print("train accuracy", round(model.score(train[columns], train["malignant"]), 4))
test["malignant"] = model.predict(test[columns])
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
