import os

import pandas as pd
import requests

URL = os.environ.get("EVAL_URL", "http://localhost:5000") + "/grade"


def remote(ids, values, names=("request_id", "requester_received_pizza")):
    body = pd.DataFrame(dict(zip(names, (ids, values)))).to_csv(index=False)
    return float(requests.post(URL, files={"file": body}).json()["score"])
