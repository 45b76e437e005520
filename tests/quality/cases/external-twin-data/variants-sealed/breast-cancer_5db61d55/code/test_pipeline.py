from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier


def test_learns():
    X, y = make_classification(569, 30, n_informative=8, random_state=0)
    model = HistGradientBoostingClassifier(max_iter=50).fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.8
