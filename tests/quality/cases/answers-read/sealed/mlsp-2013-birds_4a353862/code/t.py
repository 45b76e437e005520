from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

root = Path("/home/data")


def features(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame["n_missing"] = frame.isna().sum(axis=1)
    return frame.drop(columns=["Id"])


df = pd.read_csv(root / "train.csv")
te = pd.read_csv(root / "test.csv")
X, y = features(df.drop(columns="Probability")), df["Probability"]
num = X.select_dtypes("number").columns
cat = X.columns.difference(num)
pre = ColumnTransformer([
    ("num", SimpleImputer(strategy="median"), num),
    ("cat", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), cat),
])
model = make_pipeline(pre, RandomForestClassifier(300, min_samples_leaf=2, n_jobs=-1, random_state=7))
scores = cross_val_score(model, X, y, cv=4)
print("CV accuracy: %.4f +- %.4f" % (scores.mean(), scores.std()))
model.fit(X, y)
te["Probability"] = model.predict(features(te))
te[["Id", "Probability"]].to_csv("/home/submission/submission.csv", index=False)
