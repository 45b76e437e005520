import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor
from sklearn.model_selection import KFold, cross_val_predict

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
for frame in (train, test):
    a, b, c = (frame[f"lattice_vector_{k}_ang"] for k in (1, 2, 3))
    frame["volume"] = a * b * c
    frame["ab"], frame["bc"] = a / b, b / c
    frame["atom_density"] = frame["number_of_total_atoms"] / frame["volume"]
cols = [c for c in test.columns if c != "id"]
model = LGBMRegressor(n_estimators=400, learning_rate=0.03, num_leaves=15, verbose=-1)
out = test[["id"]].copy()
for target in ("formation_energy_ev_natom", "bandgap_energy_ev"):
    z = np.log1p(train[target])
    p = cross_val_predict(model, train[cols], z, cv=KFold(5, shuffle=True, random_state=4))
    if target.startswith("band"):
        print("rmsle %.4f" % np.sqrt(np.mean((p - z) ** 2)))
    out[target] = np.expm1(model.fit(train[cols], z).predict(test[cols]))
out.to_csv("/home/submission/submission.csv", index=False)
