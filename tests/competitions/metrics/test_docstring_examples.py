import doctest
import importlib
import pkgutil

import pytest

from competitions import metrics

MODULES = [module.name for module in pkgutil.iter_modules(metrics.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_come_out_as_printed(name):
    module = importlib.import_module(f"competitions.metrics.{name}")
    found = doctest.testmod(module)

    assert found.failed == 0
    assert found.attempted > 0 or not hasattr(module, "METRIC")
