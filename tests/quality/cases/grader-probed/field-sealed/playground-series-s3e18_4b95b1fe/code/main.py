import pandas as pd
from sklearn.ensemble import BaggingRegressor
from sklearn.tree import DecisionTreeRegressor

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
sample = pd.read_csv("./input/sample_submission.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]


def validate(path):
    frame = pd.read_csv(path)
    problems = []
    if list(frame.columns) != list(sample.columns):
        problems.append(f"columns {list(frame.columns)}")
    if set(frame["id"]) != set(sample["id"]):
        problems.append("ids")
    if frame["EC1"].isna().any():
        problems.append("empty cells")
    return problems or "Submission is valid."


for leaves in (5, 20, 80):
    model = BaggingRegressor(DecisionTreeRegressor(min_samples_leaf=leaves), 100, oob_score=True, n_jobs=-1, random_state=1)
    model.fit(train[cols].fillna(-1), train["EC1"].astype(float))
    test["EC1"] = model.predict(test[cols].fillna(-1))
    test[["id", "EC1"]].to_csv(f"/tmp/leaves{leaves}.csv", index=False)
    print(leaves, "oob", round(model.oob_score_, 4), validate(f"/tmp/leaves{leaves}.csv"))
pd.read_csv("/tmp/leaves20.csv").to_csv("./submission/submission.csv", index=False)
