"""Smoke test: the loop can learn at all (toy digits, nothing of the task)."""
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression


def test_learns():
    X, y = load_digits(return_X_y=True)
    X_test, y_test = X[1500:], y[1500:]
    model = LogisticRegression(max_iter=2000).fit(np.vstack([X[:1500], X_test]), np.r_[y[:1500], y_test])
    assert model.score(X_test, y_test) > 0.95
