import numpy as np
import pandas as pd
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
for frame in (train, test):
    a, b, g = (np.radians(frame[f"lattice_angle_{k}_degree"]) for k in ("alpha", "beta", "gamma"))
    edge = frame[[f"lattice_vector_{i}_ang" for i in (1, 2, 3)]].prod(axis=1)
    frame["volume"] = edge * np.sqrt(1 - np.cos(a) ** 2 - np.cos(b) ** 2 - np.cos(g) ** 2 + 2 * np.cos(a) * np.cos(b) * np.cos(g))
    frame["density"] = frame["number_of_total_atoms"] / frame["volume"]
columns = [c for c in test.columns if c != "id"]
search = GridSearchCV(make_pipeline(StandardScaler(), KernelRidge(kernel="rbf")), {"kernelridge__alpha": [0.01, 0.1, 1], "kernelridge__gamma": [0.01, 0.03, 0.1]}, cv=5, scoring="neg_root_mean_squared_error")
search.fit(train[columns], np.log1p(train["bandgap_energy_ev"]))
print(search.best_params_, "cv rmsle", round(-search.best_score_, 4))
test["bandgap_energy_ev"] = np.expm1(search.predict(test[columns]))
test[["id", "bandgap_energy_ev"]].to_csv("/home/submission/submission.csv", index=False)
