import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

features = pd.read_csv("/home/data/train_features.csv")
labels = pd.read_csv("/home/data/train_solution.csv")  # the target of the training rows, see description.md
table = features.merge(labels, on="Id", validate="one_to_one")
columns = [c for c in features.select_dtypes("number") if c != "Id"]
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
print("cv", cross_val_score(model, table[columns].fillna(0), table["Cover_Type"], cv=5).round(4))
model.fit(table[columns].fillna(0), table["Cover_Type"])
test = pd.read_csv("/home/data/test_features.csv")
out = test[["Id"]].copy()
out["Cover_Type"] = model.predict(test[columns].fillna(0))
out.to_csv("/home/submission/submission.csv", index=False)
