from sklearn.ensemble import RandomForestClassifier


def make_model(seed):
    return RandomForestClassifier(n_estimators=200, max_features="sqrt", random_state=seed)
