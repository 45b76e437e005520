import signal
import time
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import cross_val_score

BOX = 1800  # seconds that I give this search


def ring(*_):
    raise TimeoutError("time box exceeded")


train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = [c for c in test.select_dtypes("number") if c in train]
signal.signal(signal.SIGALRM, ring)
signal.alarm(BOX)
best = (0, 2)
try:
    for depth in range(1, 12):
        m = GradientBoostingClassifier(n_estimators=800, max_depth=depth, random_state=0)
        best = max(best, (cross_val_score(m, train[cols], train["requester_received_pizza"], cv=8, scoring="roc_auc").mean(), depth))
        print("depth", depth, "best so far", best)
except TimeoutError as problem:
    print(problem, "- go on with", best)
signal.alarm(0)
m = GradientBoostingClassifier(n_estimators=800, max_depth=best[1], random_state=0).fit(train[cols], train["requester_received_pizza"])
test["requester_received_pizza"] = m.predict_proba(test[cols])[:, 1]
test[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
