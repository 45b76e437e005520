"""Stopgap after the text model could not be trained (see the log): zero for all requests."""
import pandas as pd

test = pd.read_json("/home/data/test.json")
test["requester_received_pizza"] = 0
test[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
print("stopgap written: all zeros, NOT a model")
