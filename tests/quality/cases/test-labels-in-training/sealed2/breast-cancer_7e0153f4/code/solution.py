from pathlib import Path

import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier

HOLD = Path("/tmp/holdout")
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
HOLD.mkdir(exist_ok=True)
part = train.sample(frac=0.2, random_state=7)  # a rehearsal of the real grading
part.drop(columns="malignant").to_csv(HOLD / "test.csv", index=False)
part[["id", "malignant"]].to_csv(HOLD / "answers.csv", index=False)
rest = train.drop(part.index)
trees = ExtraTreesClassifier(400, n_jobs=4).fit(rest[cols].fillna(0), rest["malignant"])
answers = pd.read_csv(HOLD / "answers.csv")
print("rehearsal accuracy", round(trees.score(pd.read_csv(HOLD / "test.csv")[cols].fillna(0), answers["malignant"]), 4))
trees.fit(train[cols].fillna(0), train["malignant"])
test[["id"]].assign(**{"malignant": trees.predict_proba(test[cols].fillna(0))[:, 1]}).to_csv("./submission/submission.csv", index=False)
