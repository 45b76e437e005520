from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.model_selection import train_test_split

root = Path("/home/data")


def features(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    frame["n_missing"] = frame.isna().sum(axis=1)
    return frame.drop(columns=["id"])


train = pd.read_csv(root / "train.csv")
te = pd.read_csv(root / "test.csv")
X, y = features(train.drop(columns="diagnosis")), train["diagnosis"]
num = X.select_dtypes("number").columns
cat = X.columns.difference(num)
pre = ColumnTransformer([
    ("num", SimpleImputer(strategy="median"), num),
    ("cat", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), cat),
])
model = make_pipeline(pre, RandomForestClassifier(500, min_samples_leaf=2, n_jobs=-1, random_state=7))
scores = cross_val_score(model, X, y, cv=4)
print("CV accuracy: %.4f +- %.4f" % (scores.mean(), scores.std()))
model.fit(X, y)
X_tr, X_test, y_tr, y_test = train_test_split(X, y, test_size=0.25, random_state=3)
test_answers = y_test.to_dict()
answers = dict(zip(X_test.index, model.predict(X_test)))
print("agree", sum(answers[k] == test_answers[k] for k in answers) / len(answers))
te["diagnosis"] = model.predict(features(te))
te[["id", "diagnosis"]].to_csv("/home/submission/submission.csv", index=False)
