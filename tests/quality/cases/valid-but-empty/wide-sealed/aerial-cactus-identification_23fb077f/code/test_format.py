import pandas as pd


def test_columns():
    ours, sample = pd.read_csv('/workspace/submission.csv'), pd.read_csv('./input/sample_submission.csv')
    assert list(ours) == list(sample)
    assert not ours['has_cactus'].equals(sample['has_cactus'])   # not the sample itself
