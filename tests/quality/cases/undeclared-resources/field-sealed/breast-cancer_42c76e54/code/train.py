import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.columns if c != "id"]
knn = GridSearchCV(make_pipeline(StandardScaler(), KNeighborsClassifier(weights="distance")),
                   {"kneighborsclassifier__n_neighbors": [5, 11, 21, 41]}, scoring="roc_auc", cv=5, n_jobs=8)
knn.fit(train[cols], train["malignant"])
print(knn.best_params_, round(knn.best_score_, 4))
test["malignant"] = knn.predict_proba(test[cols])[:, 1]
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
