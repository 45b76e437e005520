"""What a counterexample plants is seen in its public part, by the detector that is meant for it.

The train part is cut at random, as naive folds cut it: what stands on both sides there is what
makes such folds dishonest.
"""

from __future__ import annotations

import numpy as np
import pytest

from competitions.trap import PERSON, PROXIES, THING, WHEN, Recipe, build
from competitions.trap_tables import embedded_origin
from detectors.base import detector
from detectors.dataset import Dataset
from reports.schema import Severity

MEANT = {
    "duplicated": ("entity-overlap", {"entities": (THING,)}, Severity.HIGH),
    "fuzzy": ("fuzzy-entity-overlap", {}, Severity.MEDIUM),
    # That both sides are of the same times is no fault of a split, and is noted.
    "temporal": ("temporal-overlap", {"times": (WHEN,)}, Severity.NOTE),
    "proxy": ("target-proxy", {}, Severity.HIGH),
}  # what is right only within code, as means taken too early, is not seen in tables


@pytest.fixture
def cut(tmp_path):
    """Cut the train part of a built task in two at random; the roles are as they are asked."""

    def made(trap, **roles):
        table = embedded_origin("diabetes").table
        parts = build(table, Recipe(trap=trap, marks=6), np.random.default_rng(0))
        held_out = np.random.default_rng(1).random(len(parts.train)) < 0.25
        places = [tmp_path / "train.csv", tmp_path / "test.csv"]
        parts.train[~held_out].to_csv(places[0], index=False)
        test = parts.test if trap == "proxy" else parts.train[held_out].drop(columns=parts.target)
        test.to_csv(places[1], index=False)
        asked = {"key": ("id",), "targets": (parts.target,), **roles}
        return Dataset.of_tables(*places, **asked)

    return made


def findings(name, data):
    one = detector(name)()
    assert one.applies(data) is None
    return list(one.detect(data))


@pytest.mark.parametrize("trap", MEANT)
@pytest.mark.slow
def test_the_trap_is_seen_between_random_folds_of_the_train_part(cut, trap):
    name, roles, severity = MEANT[trap]
    found = findings(name, cut(trap, **roles))

    assert max(f.severity for f in found) >= severity
    if trap == "proxy":
        assert all(any(column in f.message for column in PROXIES) for f in found)


@pytest.mark.slow
def test_things_are_found_without_being_told(cut):
    assert any(THING in f.message for f in findings("entity-overlap", cut("duplicated")))
    assert PERSON not in MEANT
