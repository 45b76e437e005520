"""What does the validator tell when it breaks?"""
import io
import numpy as np
import pandas as pd
import requests

base = pd.read_csv("/home/submission/submission.csv")
last = base.columns[-1]
cases = {
    "empty": base.iloc[:0],
    "one_row": base.iloc[:1],
    "doubled": pd.concat([base, base]),
    "nan": base.assign(**{last: np.nan}),
    "inf": base.assign(**{last: np.inf}),
    "text": base.assign(**{last: "?"}),
    "no_id": base[[last]],
    "index_name": base.rename(columns={last: "y_true"}),
    "huge": base.assign(**{last: 1e308}),
    "reversed": base.iloc[::-1],
}
for name, frame in cases.items():
    r = requests.post("http://localhost:5000/validate", files={"file": io.StringIO(frame.to_csv(index=False))})
    print(f"{name:12s} {r.status_code} {r.text[:300]}")
