"""Published rows: what their ± is, what cannot be, and that honest ones are left alone."""

from __future__ import annotations

import os
import statistics
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.check import check
from detectors.claims.counts import Spread, spread_of
from detectors.claims.impossible_arithmetic import ImpossibleArithmetic
from detectors.claims.row_arithmetic import seeds_that_fit
from detectors.claims.spread_is_not_sem import SpreadIsNotSem
from detectors.group import Group
from reports.claims import parse_claim, read_claims
from reports.schema import Outcome, Severity

SIZES = {"low": 22, "medium": 38, "high": 15}


def asked(text, *detectors):
    claim = parse_claim(text) if isinstance(text, str) else text
    group = Group(claim.label, claims=(claim,))
    return [check(d(), group) for d in detectors or (ImpossibleArithmetic, SpreadIsNotSem)]


def printed(counts, kind=Spread.SEM, decimals=2, seeds=True):
    """Print counts per split and seed as a row."""
    whole = {**SIZES, "all": 75}
    counts = {**counts, "all": [sum(c) for c in zip(*counts.values(), strict=True)]}
    figures = [
        f"{split} {100 * statistics.fmean(c) / whole[split]:.{decimals}f} ± "
        f"{spread_of(c, whole[split], kind):.{decimals}f}"
        for split, c in counts.items()
    ]
    k = len(counts["all"])
    return ", ".join(figures) + (f", seeds {k}" if seeds else "")


@st.composite
def medals(draw):
    """Counts of medals per split over two to six seeds, each task with its own chance."""
    k = draw(st.integers(2, 6))
    rng = draw(st.randoms(use_true_random=False))
    counts = {}
    for split, n in SIZES.items():
        chances = [rng.random() for _ in range(n)]
        counts[split] = [sum(rng.random() < p for p in chances) for _ in range(k)]
    return counts


@settings(max_examples=30, deadline=None)
@given(medals(), st.integers(0, 3), st.booleans())
def test_an_honest_row_is_clean(counts, decimals, seeds):
    for answer in asked(printed(counts, decimals=decimals, seeds=seeds)):
        assert answer.outcome is Outcome.CLEAN
        assert answer.findings == ()


@settings(max_examples=25, deadline=None)
@given(medals(), st.sampled_from(list(Spread)))
def test_a_row_that_says_what_its_spread_is_is_held_to_that_alone(counts, kind):
    text = f"{printed(counts, kind)}, spread {kind.value}"

    assert [a.outcome for a in asked(text)] == [Outcome.CLEAN] * 2


# The figures of three rows as they stood in a public table, with what their ± was.
HISTORIC = [
    pytest.param(
        "Low 63.64 ± 5.92, Medium 33.33 ± 4.42, High 20.00 ± 5.96, All 39.56 ± 3.26, seeds 3",
        Spread.POOLED, id="pooled",
    ),
    pytest.param(
        "Low 48.18 ± 2.49, Medium 8.95 ± 2.36, High 18.67 ± 2.98, All 22.4 ± 1.1, seeds 5",
        Spread.SD, id="sd-of-five",
    ),
    pytest.param(
        "Low 51.52 ± 6.9, Medium 19.3 ± 5.5, High 26.67 ± 0, All 30.22 ± 1.5, seeds 3",
        Spread.SD, id="sd-of-three",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), HISTORIC)
def test_a_spread_that_is_none_over_seeds_is_named(text, kind):
    arithmetic, spread = asked(text)

    assert arithmetic.outcome is Outcome.CLEAN
    assert spread.outcome is Outcome.FLAGGED
    (finding,) = spread.findings
    assert kind.value in finding.message
    assert [other for other in Spread if f"is the {other.value}." in finding.message] == [kind]
    assert finding.severity is Severity.LOW


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Low 62.20 ± 1.52, seeds 3", "62.12 and 63.64", id="mean-between-two"),
        pytest.param("Low 62.12 ± 1.30, seeds 3", "± is none", id="spread-of-nothing"),
        pytest.param(
            "Low 62.12, Medium 36.84, High 33.33, All 44.00, seeds 3", "43.55",
            id="parts-do-not-make-all",
        ),
        pytest.param(
            "Low 62.12 ± 1.52, Medium 36.84 ± 1.52, High 33.33 ± 0.00, All 43.56 ± 2.35, seeds 3",
            "not all of one kind", id="spreads-of-parts-do-not-make-that-of-all",
        ),
        pytest.param(
            "Low 62.17, Medium 36.84, High 33.33", "no number of seeds", id="no-number-of-seeds"
        ),
        pytest.param("Mine 33.00 (n=3), seeds 1", "33.33", id="a-split-of-ones-own"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(text, words):
    (answer,) = asked(text, ImpossibleArithmetic)

    assert answer.outcome is Outcome.FLAGGED
    assert words in answer.findings[0].message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Low 63.15 ± 1.51 (n=38), seeds 3", id="cut-off-not-rounded"),
        pytest.param("Low 80.3 ± 1.52, seeds 3", id="a-zero-left-out"),
        pytest.param("Low 33 ± 2, seeds 3", id="no-decimals"),
        pytest.param("Low 40.0 ± 0.0 (n=15), seeds 3", id="equal-seeds"),
        pytest.param("Low 62.12 ± 1.52, seeds 3, spread SEM", id="declared"),
        pytest.param("Low 62.12, seeds 3", id="no-spread"),
    ],
)
def test_look_alikes_of_honest_rows_are_left_alone(text):
    assert not [a for a in asked(text) if a.outcome is Outcome.FLAGGED]


def test_a_row_over_an_unknown_number_of_tasks_is_not_clean():
    arithmetic, spread = asked("Tabular 41.23 ± 3.1, seeds 3")

    assert arithmetic.outcome is Outcome.NOT_AVAILABLE
    assert spread.outcome is Outcome.NOT_APPLICABLE


def test_the_number_of_seeds_is_recovered():
    claim = parse_claim("Low 48.18, Medium 8.95, High 18.67, All 22.40")

    assert seeds_that_fit(claim) == (5, 10, 15, 20)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Low 41.36 ± 3.07, All 40.13 ± 1.71, seeds 20", id="many-seeds"),
        pytest.param("X 50.00 ± 49.77 (n=1000), seeds 6", id="many-tasks"),
        pytest.param("All 50 ± 100, seeds 6", id="a-huge-spread"),
    ],
)
def test_rows_with_many_possibilities_are_read(text):
    assert all(a.outcome is not Outcome.FAILED for a in asked(text))


def outside(name):
    folder = os.environ.get("MLE_AUDIT_CASES")
    if not folder:
        pytest.skip("MLE_AUDIT_CASES names no folder of outside cases")
    return Path(folder) / "claims" / name


def test_every_public_row_is_named_for_the_spread_it_has():
    import csv

    path = outside("rows.csv")
    with path.open(encoding="utf-8") as stream:
        truth = [r["spread_is"] for r in csv.DictReader(stream)]
    table = read_claims(path)

    assert table.faults == ("rows.csv: columns not read: spread_is",)
    for claim, right in zip(table.claims, truth, strict=True):
        arithmetic, spread = asked(claim)
        assert arithmetic.outcome is Outcome.CLEAN
        if right == "sem":
            assert spread.outcome is Outcome.CLEAN, claim.label
        else:
            assert right in spread.findings[0].message
