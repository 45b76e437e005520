from features import add_ratios


def test_no_nan_is_made(frame):
    assert add_ratios(frame)["a_share"].isna().sum() == 1
