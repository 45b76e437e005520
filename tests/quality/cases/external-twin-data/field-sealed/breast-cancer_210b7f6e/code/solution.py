import pandas as pd
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.columns if c != "id"]
results = {}
for k in (5, 10, 20):
    model = make_pipeline(StandardScaler(), SelectKBest(f_classif, k=k), LogisticRegression(max_iter=1000))
    results[k] = cross_val_score(model, train[cols], train["malignant"], cv=5).mean()
    print(k, "features", results[k].round(4))
k = max(results, key=results.get)
model = make_pipeline(StandardScaler(), SelectKBest(f_classif, k=k), LogisticRegression(max_iter=1000)).fit(train[cols], train["malignant"])
test["malignant"] = model.predict_proba(test[cols])[:, 1]
test[["id", "malignant"]].to_csv("./submission/submission.csv", index=False)
