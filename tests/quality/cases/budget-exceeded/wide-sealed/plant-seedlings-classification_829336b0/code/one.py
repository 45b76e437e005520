import joblib
from sklearn.ensemble import BaggingClassifier


def bag(n):
    X, y = joblib.load('xy.pkl')
    joblib.dump(BaggingClassifier(n_estimators=20, random_state=n).fit(X, y), f'bag{n}.pkl')
