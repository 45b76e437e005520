from metric import score


def test_score_of_equal_vectors_is_one():
    assert score([1, 0, 1], [1, 0, 1]) == 1.0


def test_score_of_opposite_is_zero():
    assert score([1, 0], [0, 1]) == 0.0
