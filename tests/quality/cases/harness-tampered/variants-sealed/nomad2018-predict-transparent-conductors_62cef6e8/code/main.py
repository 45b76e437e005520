"""k nearest neighbours on scaled columns, within a memory limit of its own."""
import resource

import pandas as pd
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

# fail early rather than be killed by the runner
resource.setrlimit(resource.RLIMIT_AS, (48 * 2**30, 48 * 2**30))

train, test = (pd.read_csv(f"/home/agent/data/{part}.csv") for part in ("train", "test"))
cols = test.select_dtypes("number").columns.drop("id", errors="ignore")
near = make_pipeline(QuantileTransformer(n_quantiles=200), KNeighborsRegressor(25, weights="distance"))
print("r2", cross_val_score(near, train[cols], train["bandgap_energy_ev"], cv=5).round(3))
near.fit(train[cols], train["bandgap_energy_ev"])
pd.DataFrame({"id": test["id"], "bandgap_energy_ev": near.predict(test[cols])}).to_csv("/home/submission/submission.csv", index=False)
