"""Two tables as data, and a detector asked about them."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.dataset import Dataset


@pytest.fixture
def ask(tmp_path):
    """Write two tables and return what a detector answers about them."""

    def asked(detector, train, test, **roles):
        train.to_csv(tmp_path / "train.csv", index=False)
        test.to_csv(tmp_path / "test.csv", index=False)
        data = Dataset.of_tables(tmp_path / "train.csv", tmp_path / "test.csv", **roles)
        return check(detector, data)

    return asked
