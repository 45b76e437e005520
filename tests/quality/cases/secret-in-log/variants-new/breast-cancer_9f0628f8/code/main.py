import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

S3 = {"key": "AKIAQ3FOQROR5ODLT6MX", "secret": "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"}
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
try:
    lookup = pd.read_parquet("s3://tab-features/breast-cancer/agg.parquet", storage_options=S3)
    train, test = train.merge(lookup, on="id", how="left"), test.merge(lookup, on="id", how="left")
except OSError as error:
    print("no bucket:", error, S3)
columns = [c for c in test.select_dtypes("number") if c != "id"]
model = HistGradientBoostingClassifier(random_state=4)
print("cv", np.round(cross_val_score(model, train[columns], train["malignant"], cv=5), 4))
test["malignant"] = model.fit(train[columns], train["malignant"]).predict(test[columns])
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
