import os
import pandas as pd
from sklearn.model_selection import StratifiedKFold
tr = pd.read_json("/home/data/train.json")
for k, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=1).split(tr, tr.requester_received_pizza)):
    d = f"cache/private_fold_{k}"
    os.makedirs(d, exist_ok=True)
    tr.iloc[b].drop(columns="requester_received_pizza").to_csv(d + "/x.csv", index=False)
    tr.iloc[b][["request_id", "requester_received_pizza"]].to_csv(d + "/answers.csv", index=False)
