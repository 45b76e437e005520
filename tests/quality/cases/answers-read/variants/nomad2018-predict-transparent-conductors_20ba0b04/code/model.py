from pathlib import Path

import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import accuracy_score

work = Path("/tmp/mock")
(work / "private").mkdir(parents=True, exist_ok=True)
full = pd.read_csv("/home/agent/data/train.csv")
hold = full.sample(frac=0.1, random_state=3)
hold[["id", "bandgap_energy_ev"]].to_csv(work / "private" / "answers.csv", index=False)
fit = full.drop(hold.index)
columns = [c for c in fit.select_dtypes("number") if c not in ("id", "bandgap_energy_ev")]
model = ExtraTreesClassifier(400, random_state=3, n_jobs=-1).fit(fit[columns].fillna(0), fit["bandgap_energy_ev"])

answers = pd.read_csv(work / "private" / "answers.csv").set_index("id")["bandgap_energy_ev"]
guess = pd.Series(model.predict(hold[columns].fillna(0)), index=hold["id"])
print("mock score", round(accuracy_score(answers, guess.reindex(answers.index)), 4))

test = pd.read_csv("/home/agent/data/test.csv")
model.fit(full[columns].fillna(0), full["bandgap_energy_ev"])
test[["id"]].assign(**{"bandgap_energy_ev": model.predict(test[columns].fillna(0))}).to_csv("./submission/submission.csv", index=False)
