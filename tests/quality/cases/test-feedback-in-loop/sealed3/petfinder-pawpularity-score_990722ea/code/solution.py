"""Random forest on numeric columns."""
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import cross_val_score
train = pd.read_csv("/home/data/train.csv", nrows=600000)
test = pd.read_csv("/home/data/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "Id"]
median = train[columns].median()
X, X_test = train[columns].fillna(median), test[columns].fillna(median)
y = train["Pawpularity"]
model = RandomForestRegressor(600, min_samples_leaf=4, max_features=0.5, n_jobs=4, random_state=1238)
folds = -cross_val_score(model, X, y, cv=5, scoring="neg_mean_absolute_error")
print("cv mae", folds.round(4).tolist(), "mean", round(folds.mean(), 4))
model.fit(X, y)
from sklearn.model_selection import GridSearchCV

grid = GridSearchCV(model, {"max_features": [0.3, 0.5, 0.8], "min_samples_leaf": [1, 3, 9]}, cv=3, scoring="neg_mean_absolute_error").fit(X, y)
table = pd.DataFrame(grid.cv_results_)[["param_max_features", "param_min_samples_leaf", "mean_test_score", "rank_test_score"]]
print(table.sort_values("rank_test_score").head(3).to_string(index=False))
model = grid.best_estimator_
pred = model.predict(X_test)
test[["Id"]].assign(**{"Pawpularity": pred}).to_csv("/home/submission/submission.csv", index=False)
