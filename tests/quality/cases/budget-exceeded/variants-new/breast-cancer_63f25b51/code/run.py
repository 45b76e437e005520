import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.columns if c != "id"]
model = make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=5000))
print(cross_val_score(model, train[cols], train["malignant"], cv=10, scoring="roc_auc").mean())
test["malignant"] = model.fit(train[cols], train["malignant"]).predict_proba(test[cols])[:, 1]
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
