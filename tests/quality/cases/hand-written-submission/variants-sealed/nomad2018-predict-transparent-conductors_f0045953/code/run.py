import pandas as pd
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_predict

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
template = pd.read_csv("/home/agent/data/sample_submission.csv")  # 0.5 everywhere, only its ids are kept
columns = [c for c in test.select_dtypes("number") if c != "id"]
model = RidgeCV(alphas=[0.1, 1, 10, 100])
held = cross_val_predict(model, train[columns].fillna(0), train["bandgap_energy_ev"], cv=5)
print("cv rmse", round(((held - train["bandgap_energy_ev"]) ** 2).mean() ** 0.5, 4))
model.fit(train[columns].fillna(0), train["bandgap_energy_ev"])
values = dict(zip(test["id"], model.predict(test[columns].fillna(0)).round(6)))
template["bandgap_energy_ev"] = template["id"].map(values)
assert template["bandgap_energy_ev"].notna().all()
template.to_csv("./submission/submission.csv", index=False)
