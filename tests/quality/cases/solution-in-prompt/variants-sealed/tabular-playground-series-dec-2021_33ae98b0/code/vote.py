import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.model_selection import cross_validate

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
X = train.drop(columns=["Id", "Cover_Type"]).select_dtypes("number").fillna(-1)
vote = VotingClassifier([("gbm", LGBMClassifier(n_estimators=400, learning_rate=0.05, verbose=-1)),
                         ("forest", RandomForestClassifier(300, min_samples_leaf=2, n_jobs=-1))], voting="soft")
table = cross_validate(vote, X, train["Cover_Type"], cv=5, scoring=["accuracy", "neg_log_loss"])
print("accuracy %.4f, log loss %.4f" % (table["test_accuracy"].mean(), -table["test_neg_log_loss"].mean()))
vote.fit(X, train["Cover_Type"])
test["Cover_Type"] = vote.predict(test[X.columns].fillna(-1))
test[["Id", "Cover_Type"]].to_csv("/home/submission/submission.csv", index=False)
