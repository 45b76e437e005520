import pandas as pd

from solution import features, fit_solution

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
solution = fit_solution(features(train), train["requester_received_pizza"].astype(int))
test["requester_received_pizza"] = solution.predict_proba(features(test))[:, 1]
test[["request_id", "requester_received_pizza"]].to_csv("./submission/submission.csv", index=False)
