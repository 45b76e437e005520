import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
tr, te = pd.read_csv("/home/data/train.csv", index_col="id"), pd.read_csv("/home/data/test.csv", index_col="id")
y = tr.pop("species")
m = make_pipeline(StandardScaler(), LogisticRegression(C=1000, max_iter=5000))
for i, s in enumerate(-cross_val_score(m, tr, y, cv=10, scoring="neg_log_loss")): print("fold", i, "logloss", round(s, 5))
m.fit(tr, y)
pd.DataFrame(m.predict_proba(te), te.index, m.classes_).to_csv("/home/submission/submission.csv")
