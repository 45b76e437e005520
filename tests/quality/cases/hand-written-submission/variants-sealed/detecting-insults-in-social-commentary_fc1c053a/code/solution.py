import pandas as pd
from sklearn.dummy import DummyClassifier

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
# floor for later models: class prior only
dummy = DummyClassifier(strategy="prior").fit(train[["Comment"]], train["Insult"])
pred = dummy.predict_proba(test[["Comment"]])[:, 1].round(4)
print("dummy prior", pred[0])
pd.DataFrame({"id": test["id"], "Insult": pred}).to_csv("/home/submission/submission.csv", index=False)
