import joblib
import pandas as pd

model = joblib.load("model.joblib")
test = pd.read_csv("/home/data/test.csv")
test["Cover_Type"] = model.predict_proba(test)[:, 1]
test[["Id", "Cover_Type"]].to_csv("/home/submission/submission.csv", index=False)
