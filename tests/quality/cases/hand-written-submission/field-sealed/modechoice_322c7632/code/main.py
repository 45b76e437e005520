import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.columns if c != "id"]
stack = StackingClassifier(
    [("rf", RandomForestClassifier(300, random_state=0, n_jobs=-1)), ("et", ExtraTreesClassifier(300, random_state=0, n_jobs=-1))],
    final_estimator=LogisticRegression(), cv=5)
print("cv", cross_val_score(stack, train[cols], train["choice"], cv=3).mean().round(4))
stack.fit(train[cols], train["choice"])
test["choice"] = stack.predict_proba(test[cols])[:, 1].round(6)
test[["id", "choice"]].to_csv("./submission/submission.csv", index=False)
