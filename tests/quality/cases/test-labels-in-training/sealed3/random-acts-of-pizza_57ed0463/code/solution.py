import lightgbm as lgb


def features(frame):
    return frame.select_dtypes("number").drop(columns=["requester_received_pizza"], errors="ignore")


def fit_solution(X, y):
    """Fit the solution's booster."""
    return lgb.LGBMClassifier(n_estimators=400).fit(X, y)
