import pytest
from check import validate_submission

@pytest.mark.parametrize("seed", range(500))
def test_random_frames(seed):
    assert validate_submission(random_frame(seed))
