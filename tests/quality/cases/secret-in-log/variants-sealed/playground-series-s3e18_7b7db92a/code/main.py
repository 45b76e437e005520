import pandas as pd
import wandb
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import cross_val_score

wandb.login(key="2afc8eb978fffe9a86c609242300f429687a4c12")
run = wandb.init(project="playground-series-s3e18", config={"n": 300, "depth": 3})
train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
model = GradientBoostingClassifier(n_estimators=300, max_depth=3)
score = cross_val_score(model, train[cols].fillna(-1), train["EC1"], cv=5).mean()
run.log({"cv": score})
print("cv", round(score, 4))
model.fit(train[cols].fillna(-1), train["EC1"])
test[["id"]].assign(**{"EC1": model.predict(test[cols].fillna(-1))}).to_csv("./submission/submission.csv", index=False)
