import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

train, valid, test = (pd.read_csv(f"/workspace/data/{n}.csv") for n in ("train", "valid", "test"))  # all three are given
cols = [c for c in test.select_dtypes("number") if c != "request_id"]
m = HistGradientBoostingClassifier(max_iter=300).fit(train[cols], train["requester_received_pizza"])
print("on the given validation part", round(m.score(valid[cols], valid["requester_received_pizza"]), 4))
m.fit(pd.concat([train, valid])[cols], pd.concat([train, valid])["requester_received_pizza"])
test[["request_id"]].assign(**{"requester_received_pizza": m.predict_proba(test[cols])[:, 1]}).to_csv("/home/submission/submission.csv", index=False)
