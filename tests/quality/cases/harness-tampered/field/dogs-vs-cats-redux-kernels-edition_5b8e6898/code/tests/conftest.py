import pandas as pd
import pytest


@pytest.fixture
def frame():
    return pd.DataFrame({"a": [1, 2, None], "b": ["x", "y", "x"]})
