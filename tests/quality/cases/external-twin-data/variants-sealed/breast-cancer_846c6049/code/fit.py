import pandas as pd
from sklearn.linear_model import LogisticRegressionCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
# columns as in the Wisconsin (WDBC) set: mean, error and worst of ten properties of the nuclei
WDBC = ["radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave_points", "symmetry", "fractal_dimension"]
for name in WDBC:
    for frame in (train, test):
        if f"worst_{name}" in frame and f"mean_{name}" in frame:
            frame[f"{name}_ratio"] = frame[f"worst_{name}"] / (frame[f"mean_{name}"] + 1e-9)
columns = [c for c in test.columns if c != "id"]
model = make_pipeline(StandardScaler(), LogisticRegressionCV(Cs=10, cv=5, scoring="roc_auc", max_iter=5000))
model.fit(train[columns], train["malignant"])
print("cv auc", model[-1].scores_[1].mean(0).max().round(5))
test["malignant"] = model.predict_proba(test[columns])[:, 1]
test[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
