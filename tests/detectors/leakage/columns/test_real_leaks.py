"""Miniatures of leaks that were published: the column is found, and its mended twin is clean."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from audit.check import check
from competitions import spec as specs
from competitions.miniature import write_miniature
from competitions.prepare import prepare
from detectors.leakage.foreign_key_missing import ForeignKeyMissing
from detectors.leakage.target_proxy import TargetProxy
from detectors.task import Task
from reports.schema import Outcome, Severity

N = 600
RNG = np.random.default_rng(11)
Y = RNG.integers(0, 2, N)
NOISE = RNG.normal(size=N)


def pizza():
    """Be filled only where the request was granted."""
    names = np.array([f"user{n}" for n in RNG.integers(0, 400, N)])
    return np.where((Y == 1) & (RNG.random(N) < 0.6), names, "N/A"), names


def equal_to_the_target():
    return np.where(Y == 1, "P", "N"), np.where(RNG.random(N) < 0.5, "P", "N")


def questions():
    """Let questions that are asked often be duplicates."""
    often = RNG.integers(0, 30, N)
    codes = RNG.permutation(20 * N)
    mixed = np.where((Y == 1) ^ (RNG.random(N) < 0.1), codes[often], codes[-N:])
    return [f"q{n}" for n in mixed], [f"q{n}" for n in RNG.permutation(mixed)]


def addresses():
    authors = np.where(Y == 1, "campaign", "press")
    ids = RNG.integers(10**9, 10**10, N)
    honest = RNG.permutation(authors)
    return tuple(
        [f"https://social.example/{a}/status/{n}" for a, n in zip(who, ids, strict=True)]
        for who in (authors, honest)
    )


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(pizza, id="a giver's name where a pizza was given"),
        pytest.param(equal_to_the_target, id="one feature equals the target"),
        pytest.param(questions, id="frequency of a question"),
        pytest.param(addresses, id="an address names the author"),
    ],
)
def test_a_column_that_gives_the_target_away_is_found_and_its_twin_is_clean(made, ask):
    leaking, honest = made()
    answers = []
    for column in (leaking, honest):
        table = pd.DataFrame({"suspect": column, "x": NOISE + Y * 0.5, "y": Y})
        train, test = table.iloc[:480], table.iloc[480:].drop(columns="y")
        answers.append(ask(TargetProxy(), train, test, key=(), targets=("y",), entities=()))

    found, clean = answers
    assert found.outcome is Outcome.FLAGGED
    assert "suspect" in found.findings[0].message
    assert clean.outcome is Outcome.CLEAN, clean.findings


@pytest.mark.slow
def test_molecules_of_the_test_part_without_a_geometry_are_told(tmp_path):
    """champs v1 has structures of the train part alone; the fixed variant has all."""
    answers = {}
    for variant in ("v1", "fixed"):
        spec = specs.load("champs-scalar-coupling", variant)
        write_miniature(spec, tmp_path / spec.id / "raw")
        prepare(spec, tmp_path, keep_raw=True)
        folder = "prepared" if variant == "v1" else "prepared-fixed"
        answers[variant] = check(ForeignKeyMissing(), Task(spec, tmp_path / spec.id / folder))

    told = [f for f in answers["v1"].findings if "structures.csv" in f.message]
    assert [f.severity for f in told] == [Severity.LOW]
    assert "no-geometry-of-the-test-part" in told[0].message
    assert all(f.severity is Severity.NOTE for f in answers["fixed"].findings)
