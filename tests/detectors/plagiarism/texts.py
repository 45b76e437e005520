"""Texts for the tests of passages: a solution, another one of the same task, and their prose."""

SOLUTION = '''import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("train.csv")
test = pd.read_csv("test.csv")


def spent(frame):
    """Add up what a passenger spent."""
    bills = ["RoomService", "FoodCourt", "Spa"]
    frame["total"] = frame[bills].fillna(0).sum(axis=1)
    frame["is_poor"] = (frame["total"] == 0).astype(int)
    for bill in bills:
        frame[bill + "_share"] = frame[bill] / (frame["total"] + 1e-6)
    return frame


def decks(frame):
    parts = frame["Cabin"].str.split("/", expand=True)
    frame["deck"], frame["side"] = parts[0], parts[2]
    codes = {letter: number for number, letter in enumerate("ABCDEFGT")}
    frame["deck"] = frame["deck"].map(codes).fillna(-1)
    return frame


train, test = decks(spent(train)), decks(spent(test))
columns = [c for c in train.columns if train[c].dtype != object and c != "Transported"]
folds = StratifiedKFold(n_splits=7, shuffle=True, random_state=11)
predicted = np.zeros(len(test))
for number, (fit_rows, held_rows) in enumerate(folds.split(train, train["Transported"])):
    model = GradientBoostingClassifier(n_estimators=400, learning_rate=0.03, subsample=0.7)
    model.fit(train.loc[fit_rows, columns], train.loc[fit_rows, "Transported"])
    score = model.score(train.loc[held_rows, columns], train.loc[held_rows, "Transported"])
    print("fold", number, "accuracy", round(score, 4))
    predicted += model.predict_proba(test[columns])[:, 1] / folds.n_splits

test["Transported"] = predicted > 0.5
test[["PassengerId", "Transported"]].to_csv("submission.csv", index=False)
'''

OTHER = """import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

data = pd.read_csv("train.csv").dropna(subset=["Age"])
held_out = pd.read_csv("test.csv")
target = data.pop("Transported")

if data.shape[0] < 100:
    raise SystemExit("too little data")

encoder = OneHotEncoder(handle_unknown="ignore", min_frequency=20)
booster = LGBMClassifier(num_leaves=15, n_estimators=900, verbose=-1)
pipeline = make_pipeline(encoder, booster)
left, right, y_left, y_right = train_test_split(data, target, test_size=0.2)
pipeline.fit(left, y_left)
while pipeline.score(right, y_right) < 0.7:
    booster.set_params(num_leaves=booster.num_leaves * 2)
    pipeline.fit(left, y_left)

answer = pd.DataFrame({"PassengerId": held_out.PassengerId})
answer["Transported"] = pipeline.predict(held_out).astype(bool)
answer.to_csv("submission.csv", index=False)
"""
