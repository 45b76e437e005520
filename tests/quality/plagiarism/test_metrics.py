"""Thresholds and shares are what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.plagiarism.material import HONEST, Asked, File, Query
from tests.quality.plagiarism.metrics import measure, threshold
from tests.quality.plagiarism.tools import Pair


@pytest.mark.parametrize(
    ("values", "share", "limit"),
    [
        pytest.param(list(range(100)), 0.01, 98, id="one-above"),
        pytest.param([0.5] * 100, 0.01, 0.5, id="ties-are-not-above"),
        pytest.param([1.0, 0.0], 0.01, 1.0, id="few-values"),
    ],
)
def test_at_most_the_share_is_above(values, share, limit):
    found = threshold(values, share)

    assert found == limit
    assert sum(v > found for v in values) <= share * len(values)


def test_measure_takes_the_reading_that_does_best():
    def file(name):
        return File(name, Path(f"{name}.py"), Path(f"{name}.py"))

    honest = [Query(file(f"h{n}"), HONEST, ("r", "s")) for n in range(10)]
    copies = [Query(file(f"c{n}"), "renamed", ("r",)) for n in range(5)]
    asked = [Asked("t", (file("r"), file("s")), (*honest, *copies))]
    pairs = [Pair("t", s, q.file.name) for q in (*honest, *copies) for s in q.against]
    good = {p: float(p.query.startswith("c")) for p in pairs}
    bad = {p: float(p.query.startswith("h")) for p in pairs}
    found = measure("tool", {"bad": bad, "good": good}, asked)

    assert found.reading == "good"
    assert (found.auc, found.at_pairs, found.at_files) == (1.0, 1.0, 1.0)
    assert found.by_kind == {"renamed": (1.0, 5)}
