import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "id"]
X, X_test, y = train[columns].fillna(-1), test[columns].fillna(-1), train["EC1"]
models = {"trees": ExtraTreesClassifier(500, min_samples_leaf=5, n_jobs=-1, random_state=3),
          "hist": HistGradientBoostingClassifier(learning_rate=0.05, random_state=3)}
total = 0
for name, model in models.items():
    print(name, "cv auc", cross_val_score(model, X, y, cv=5, scoring="roc_auc").mean().round(4))
    total = total + model.fit(X, y).predict_proba(X_test)[:, 1]
test[["id"]].assign(**{"EC1": total / 2}).to_csv("./submission/submission.csv", index=False)
