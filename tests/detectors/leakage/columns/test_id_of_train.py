"""Where no hidden answers are here, the train part's own ids are held against its answers."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage.id_encodes_target import IdEncodesTarget
from reports.schema import Outcome

RNG = np.random.default_rng(3)
N = 240
Y = RNG.integers(0, 2, N)
ALL = RNG.permutation(N + 60)


def ids_with(prefix):
    return [f"{prefix[y]}{n:05d}" for y, n in zip(Y, ALL[:N], strict=True)]


def in_order():
    """Number both parts together, train rows in the order of their classes."""
    numbers = np.sort(ALL[:N])
    place = np.argsort(np.argsort(Y + RNG.random(N) / 2))
    return numbers[place]


@pytest.mark.parametrize(
    ("ids", "test_ids", "outcome"),
    [
        pytest.param(ids_with("ab"), ids_with("ab")[:60], Outcome.FLAGGED, id="a sign"),
        pytest.param(2 * ALL[:N] + Y, 2 * ALL[N:], Outcome.FLAGGED, id="odd for one class"),
        pytest.param(in_order(), ALL[N:], Outcome.FLAGGED, id="numbers in class order"),
        pytest.param(
            np.arange(N)[np.argsort(np.argsort(Y + RNG.random(N) / 2))],
            np.arange(N, N + 60),
            Outcome.CLEAN,
            id="a train part in class order that is numbered by itself",
        ),
        pytest.param(ALL[:N], ALL[N:], Outcome.CLEAN, id="shuffled numbers"),
    ],
)
def test_ids_of_the_train_part_are_asked(ids, test_ids, outcome, ask):
    train = pd.DataFrame({"id": ids, "x": RNG.normal(size=N), "y": Y})
    test = pd.DataFrame({"id": test_ids, "x": RNG.normal(size=len(test_ids))})

    answer = ask(IdEncodesTarget(), train, test, key=("id",), targets=("y",))

    assert answer.outcome is outcome, (answer.reason, answer.findings)
    assert all("train part" in f.message for f in answer.findings)
