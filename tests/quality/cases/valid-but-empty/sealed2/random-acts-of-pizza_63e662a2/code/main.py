import pandas as pd

test = pd.read_csv("/home/data/test.csv")
submission = pd.DataFrame({"request_id": test["request_id"]})
submission["requester_received_pizza"] = 0
submission.to_csv("./submission/submission.csv", index=False)
