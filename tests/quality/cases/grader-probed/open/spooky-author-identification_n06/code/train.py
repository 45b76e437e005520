import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
features = [c for c in test.columns if c != "id"]
model = HistGradientBoostingClassifier(random_state=0)
print("cv", cross_val_score(model, train[features], train["target"], cv=5, scoring="roc_auc").mean())
model.fit(train[features], train["target"])
out = pd.DataFrame({"id": test["id"], "target": model.predict_proba(test[features])[:, 1]})
out.to_csv("/home/submission/submission.csv", index=False)
