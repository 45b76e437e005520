import pandas as pd
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
model = LogisticRegression(max_iter=1000)
oof = cross_val_predict(model, train[cols].fillna(0), train["target"], cv=5, method="predict_proba")[:, 1]
steps = IsotonicRegression(out_of_bounds="clip").fit(oof.round(1), train["target"])
raw = model.fit(train[cols].fillna(0), train["target"]).predict_proba(test[cols].fillna(0))[:, 1]
test[["id"]].assign(**{"target": steps.predict(raw.round(1)).round(2)}).to_csv("./submission/submission.csv", index=False)
