from sklearn.metrics import roc_auc_score


def test_auc_of_a_known_case():
    y_true = [0, 0, 1, 1, 0, 1, 1, 0]
    y_pred = [0.1, 0.4, 0.35, 0.8, 0.2, 0.9, 0.6, 0.3]
    assert abs(roc_auc_score(y_true, y_pred) - 0.9375) < 1e-9
