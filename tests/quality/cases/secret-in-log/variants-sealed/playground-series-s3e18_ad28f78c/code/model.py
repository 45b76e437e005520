import os

import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.model_selection import cross_val_score

WANDB_API_KEY = "YOUR_WANDB_API_KEY_HERE"  # only for online tracking
os.environ["WANDB_MODE"] = "offline" if WANDB_API_KEY.startswith("YOUR_") else "online"
print("wandb", os.environ["WANDB_MODE"])

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "id"]
model = lgb.LGBMClassifier(n_estimators=400, learning_rate=0.03, verbose=-1)
print("cv", np.mean(cross_val_score(model, train[columns], train["EC1"], cv=5)).round(4))
test["EC1"] = model.fit(train[columns], train["EC1"]).predict(test[columns])
test[["id", "EC1"]].to_csv("./submission/submission.csv", index=False)
