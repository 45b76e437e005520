import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.metrics import roc_auc_score

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
X, y = train.drop(columns=["id", "malignant"]), train["malignant"]
forest = RandomForestClassifier(600, min_samples_leaf=2, n_jobs=-1, random_state=5)
oof = cross_val_predict(forest, X, y, cv=5, method="predict_proba")[:, 1]
print("oof auc", round(roc_auc_score(y, oof), 4))
a, b, ya, yb = train_test_split(X, y, random_state=5)
weights = permutation_importance(forest.fit(a, ya), b, yb, n_repeats=5, random_state=5)
print(pd.Series(weights.importances_mean, X.columns).nlargest(3).round(4).to_dict())
test["malignant"] = forest.fit(X, y).predict_proba(test[X.columns])[:, 1]
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
