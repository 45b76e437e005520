import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import GridSearchCV

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.columns if c != "id"]
grid = {"n_estimators": [200, 500, 1000], "max_features": [0.2, 0.4, 0.6, 0.8], "min_samples_leaf": [1, 3, 9]}
search = GridSearchCV(ExtraTreesClassifier(random_state=0), grid, scoring="roc_auc", cv=5, n_jobs=-1, verbose=2)
search.fit(train[cols], train["malignant"])
print(search.best_score_, search.best_params_)
test["malignant"] = search.predict_proba(test[cols])[:, 1]
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
