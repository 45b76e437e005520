import pandas as pd
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier, export_text

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
X, y = train.drop(columns=["id", "malignant"]), train["malignant"]
tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=10, random_state=0)
print("cv auc", cross_val_score(tree, X, y, scoring="roc_auc").mean().round(4))
tree.fit(X, y)
print(export_text(tree, feature_names=list(X.columns)))
test["malignant"] = tree.predict_proba(test[X.columns])[:, 1]
test[["id", "malignant"]].to_csv("./submission/submission.csv", index=False, float_format="%.6f")
