import pandas as pd
from predictor import Predictor

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
X, y = train.drop(columns=["id", "bandgap_energy_ev"]), train["bandgap_energy_ev"]
predictor = Predictor().fit(X, y)
pred = predictor.predict(test.drop(columns="id"))
pd.DataFrame({"id": test["id"], "bandgap_energy_ev": pred}).to_csv("/home/submission/submission.csv", index=False)
print("submitted", len(pred), "predictions")
