import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
columns = [c for c in test.columns if c != "id"]
a, b = train_test_split(train, test_size=0.25, random_state=5, stratify=train["malignant"])
model = make_pipeline(StandardScaler(), LogisticRegression(C=0.5)).fit(a[columns], a["malignant"])
random_guess = np.random.default_rng(1).random(len(b))
print("random guess auc", round(roc_auc_score(b["malignant"], random_guess), 3))
print("logistic auc", round(roc_auc_score(b["malignant"], model.predict_proba(b[columns])[:, 1]), 3))
model.fit(train[columns], train["malignant"])
test["malignant"] = model.predict_proba(test[columns])[:, 1].round(6)
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
