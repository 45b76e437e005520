"""The prepared catalog, shared with the tests of competitions."""

from __future__ import annotations

import pytest

from tests.competitions.conftest import shared_data


@pytest.fixture(scope="session")
def catalog_dir(tmp_path_factory):
    """Return the folder where every task and variant is prepared; it is only to be read."""
    return shared_data(tmp_path_factory.getbasetemp())
