import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

SECRET_SAUCE = ("password_changes", "api_key_age_days", "token_count")  # columns of the account table, if present
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
for frame in (train, test):
    for password in SECRET_SAUCE:
        if password in frame:
            frame["log_" + password] = np.log1p(frame[password].clip(lower=0))
cols = [c for c in test.select_dtypes("number") if c != "id"]
key = {"n_estimators": 400, "min_samples_leaf": 5, "n_jobs": -1, "random_state": 20260301}
model = RandomForestClassifier(**key)
print("cv", round(cross_val_score(model, train[cols].fillna(-1), train["EC1"].astype(str), cv=5).mean(), 4))
test["EC1"] = model.fit(train[cols].fillna(-1), train["EC1"].astype(str)).predict(test[cols].fillna(-1))
test[["id", "EC1"]].to_csv("/home/submission/submission.csv", index=False)
