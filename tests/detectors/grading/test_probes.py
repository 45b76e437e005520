"""What each probe makes of a grader's answers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from audit.check import check
from competitions import spec as specs
from competitions.prepare import prepare
from detectors.base import all_detectors, family_of
from detectors.grading import answers as asking
from detectors.grading.answers import Answer, Answers, answers_of
from detectors.grading.probing import Probe
from detectors.task import Task
from reports.schema import Outcome, Quantity, Severity

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

PROBES = {
    name: cls
    for name, cls in all_detectors().items()
    if family_of(cls) == "grading" and issubclass(cls, Probe)
}
REFUSED = Answer("refused")


def scored(score: float, forbidden: str = "") -> Answer:
    return Answer("scored", score, forbidden)


EXACT = {
    "perfect": scored(1.0),
    "sample": scored(0.5),
    "random": scored(0.5),
    "constant": scored(0.5),
    "shuffled-perfect": scored(1.0),
    **dict.fromkeys(
        (
            *("foreign-keys", "one-key-twice", "row-again", "half", "one-row-short", "no-row"),
            *("empty-cell", "empty-column", "all-empty", "infinite-cell", "words", "one-word"),
        ),
        REFUSED,
    ),
}


def grader(**changes: Answer) -> Answers:
    """An exact grader's answers but for some; underscores stand for hyphens."""
    return Answers(EXACT | {name.replace("_", "-"): answer for name, answer in changes.items()})


@pytest.mark.parametrize("name", PROBES)
def test_an_exact_grader_is_clean(name):
    assert not list(PROBES[name]().seen(grader()))


@pytest.mark.parametrize(
    ("name", "changes", "is_harmful"),
    [
        pytest.param(
            "nan-accepted", {"empty_cell": scored(1.0, "x")}, True, id="an empty cell is free"
        ),
        pytest.param(
            "nan-accepted", {"empty_cell": scored(0.9, "x")}, False, id="an empty cell is wrong"
        ),
        pytest.param("nan-accepted", {"all_empty": scored(math.nan, "x")}, True, id="a valid nan"),
        pytest.param(
            "nan-accepted", {"one_and_empty": scored(1.2, "x")}, True, id="better than right"
        ),
        pytest.param("nan-accepted", {"nan_in_text": scored(1.0)}, True, id="nan as confidence"),
        pytest.param("partial-accepted", {"half": scored(0.8)}, True, id="half of the rows"),
        pytest.param("id-unchecked", {"foreign_keys": scored(1.0)}, True, id="foreign ids"),
        pytest.param("id-unchecked", {"one_key_twice": scored(0.9)}, False, id="an id twice"),
        pytest.param(
            "position-graded", {"shuffled_perfect": scored(0.1)}, True, id="rows by place"
        ),
        pytest.param(
            "position-graded", {"columns_reversed": scored(0.1)}, True, id="columns by place"
        ),
        pytest.param("unknown-label-free", {"strange_word": scored(1.0)}, True, id="a tag"),
        pytest.param(
            "unknown-label-free", {"fractions": scored(1.0, "x")}, True, id="fractions cut"
        ),
        pytest.param(
            "foreign-values-accepted", {"words": scored(0.0, "x")}, False, id="words score 0"
        ),
        pytest.param("empty-earns-credit", {"all_empty": scored(0.6)}, True, id="blanks earn"),
        pytest.param(
            "infinite-score", {"constant": scored(math.nan)}, True, id="a constant has no score"
        ),
        pytest.param("infinite-score", {"perfect": scored(-math.inf)}, True, id="no floor"),
        pytest.param("sample-invalid", {"sample": REFUSED}, True, id="the sample is refused"),
        pytest.param(
            "sample-invalid", {"sample": scored(0.0, "empty")}, False, id="an empty sample"
        ),
    ],
)
def test_a_loophole_is_seen_and_weighed(name, changes, is_harmful):
    (seen,) = PROBES[name]().seen(grader(**changes))

    assert seen.is_harmful is is_harmful


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        pytest.param("nan-accepted", {"empty_cell": scored(0.9)}, id="an empty mask is an answer"),
        pytest.param("nan-accepted", {"nan_in_text": scored(0.9)}, id="nan is a wrong box"),
        pytest.param("position-graded", {"shuffled_perfect": REFUSED}, id="an order is refused"),
        pytest.param("unknown-label-free", {"strange_word": scored(0.8)}, id="a tag costs"),
        pytest.param("unknown-label-free", {"fractions": scored(1.0)}, id="fractions are allowed"),
        pytest.param("foreign-values-accepted", {"words": scored(0.0)}, id="words are allowed"),
        pytest.param("empty-earns-credit", {"all_empty": scored(0.5)}, id="as a constant earns"),
        pytest.param("sample-invalid", {"sample": scored(0.0)}, id="a poor sample"),
    ],
)
def test_what_an_exact_grader_may_do_is_no_loophole(name, changes):
    assert not list(PROBES[name]().seen(grader(**changes)))


def test_blanks_may_earn_their_share_unless_right_items_are_counted():
    blanks = EXACT | {"all-empty": scored(0.6), "constant": scored(0.0)}
    probe = PROBES["empty-earns-credit"]()

    assert not list(probe.seen(Answers(blanks, share_empty=0.6)))
    assert list(probe.seen(Answers(blanks, share_empty=0.59)))
    assert list(probe.seen(Answers(blanks, share_empty=0.6, counts_items=True)))


@pytest.fixture(scope="module")
def spaceship(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spaceship")

    def task(variant: specs.Variant) -> Task:
        spec = specs.load("spaceship-titanic", variant)
        return Task(spec, prepare(spec, folder, "miniature").folder)

    return task


def test_a_real_grader_is_asked_and_its_loophole_found_in_the_published_variant_only(spaceship):
    probe = PROBES["foreign-values-accepted"]()
    published, repaired = check(probe, spaceship("v1")), check(probe, spaceship("fixed"))

    assert published.outcome is Outcome.FLAGGED
    assert "words" in published.findings[0].message
    assert published.findings[0].severity is Severity.LOW
    assert repaired.outcome is Outcome.CLEAN


def test_no_score_of_evidence_is_a_number_that_json_cannot_hold(spaceship):
    for cls in PROBES.values():
        for finding in check(cls(), spaceship("v1")).findings:
            shown = [e.value for e in finding.evidence if isinstance(e, Quantity)]
            assert len(shown) == len(finding.evidence)
            assert all(map(math.isfinite, shown))


def test_a_task_that_is_not_prepared_is_not_available(tmp_path):
    task = Task(specs.load("breast-cancer"), tmp_path / "breast-cancer" / "prepared")

    found = check(PROBES["partial-accepted"](), task)

    assert found.outcome is Outcome.NOT_AVAILABLE
    assert "breast-cancer" in (found.reason or "")


def _silent(_task: Task, pipe: Connection) -> None:
    pipe.send(("perfect", Answer("scored", 1.0)))
    import time

    time.sleep(60)


def _dying(_task: Task, _pipe: Connection) -> None:
    import os

    os._exit(7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("child", "limit_s", "said"),
    [(_silent, 0.5, "more than 0.5 s"), (_dying, 60.0, "ended with 7")],
)
def test_a_grader_that_never_ends_or_dies_is_not_called_clean(
    child, limit_s, said, monkeypatch, tmp_path
):
    monkeypatch.setattr(asking, "_ask", child)
    task = Task(specs.load("breast-cancer"), tmp_path / "breast-cancer" / "prepared")

    found = check(PROBES["partial-accepted"](limit_s=limit_s), task)

    assert found.outcome is Outcome.NOT_AVAILABLE
    assert said in (found.reason or "")


RECORDS = [
    pytest.param(competition, issue.id, issue.probe, id=f"{competition}: {issue.id}")
    for competition in specs.catalog_ids()
    for issue in specs.load(competition).known_issues
    if issue.probe in all_detectors() and family_of(all_detectors()[issue.probe]) == "grading"
]
VARIANTS = [
    pytest.param(competition, id=competition)
    for competition in specs.catalog_ids()
    if specs.load(competition).has_fixed
]


def task_in(folder: Path, competition: str, variant: specs.Variant) -> Task:
    name = "prepared" if variant == "v1" else "prepared-fixed"
    return Task(specs.load(competition, variant), folder / competition / name)


@pytest.mark.slow
@pytest.mark.parametrize(("competition", "issue", "probe"), RECORDS)
def test_a_recorded_loophole_is_found_in_the_published_variant(
    competition, issue, probe, catalog_dir
):
    found = check(all_detectors()[probe](), task_in(catalog_dir, competition, "v1"))

    assert found.outcome is Outcome.FLAGGED, issue


@pytest.mark.slow
@pytest.mark.parametrize("competition", VARIANTS)
def test_no_loophole_is_left_in_a_repaired_variant(competition, catalog_dir):
    task = task_in(catalog_dir, competition, "fixed")

    found = [f.message for cls in PROBES.values() for f in check(cls(), task).findings]

    assert not found


EMBEDDED = [i for i in specs.catalog_ids() if specs.load(i).source.kind == "embedded"]


@pytest.mark.slow
@pytest.mark.parametrize("competition", EMBEDDED)
def test_embedded_tasks_are_clean(competition, catalog_dir):
    task = task_in(catalog_dir, competition, "v1")

    checks = [check(cls(), task) for cls in PROBES.values()]

    assert {c.outcome for c in checks} == {Outcome.CLEAN}


def test_a_grader_is_asked_once_for_all_probes(spaceship, monkeypatch):
    task = spaceship("v1")
    answers_of(task, 120.0)
    monkeypatch.setattr(asking, "_asked", lambda *_: pytest.fail("asked again"))

    assert answers_of(task, 120.0).by_question["perfect"].score == 1.0
