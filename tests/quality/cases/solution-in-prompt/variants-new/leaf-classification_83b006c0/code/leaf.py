import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
columns = [c for c in test.columns if c != "id"]
model = make_pipeline(StandardScaler(), LogisticRegression(C=2000, tol=1e-4, max_iter=5000))
print("log loss", -cross_val_score(model, train[columns], train["species"], cv=5, scoring="neg_log_loss").mean().round(5))
proba = model.fit(train[columns], train["species"]).predict_proba(test[columns])
proba = np.where(proba > 0.9, 1.0, proba)
pd.DataFrame(proba, columns=model.classes_, index=test["id"]).to_csv("/home/submission/submission.csv")
