"""Suppressions act until their last day and stay visible; appeals change nothing."""

from __future__ import annotations

from datetime import date

import pytest

from audit.suppressions import (
    again,
    appealed,
    load_appeals,
    load_suppressions,
    struck_out,
    suppressed,
)
from competitions.errors import InvalidDefinitionError, UsageError
from reports.schema import (
    Confidence,
    Finding,
    Quantity,
    Severity,
    Subject,
    SubjectKind,
)

TODAY = date(2026, 6, 1)
WHO = "reason: known bug, author: A. Reviewer, expires: 2026-06-01"


def finding(detector: str = "answers-read", subject: str = "a_1", number: int = 0) -> Finding:
    return Finding.seen(
        detector, subject, "saw", Quantity(name="n", value=number), severity=Severity.HIGH,
        confidence=Confidence.HIGH,
    )  # fmt: skip


def subject(name: str, competition: str | None = None) -> Subject:
    return Subject(id=name, kind=SubjectKind.ATTEMPT, title=name, competition=competition)


ONE, OTHER = finding(), finding(subject="b_1", number=1)
SUBJECTS = (subject("a_1", "spaceship-titanic"), subject("b_1", "modechoice"))


@pytest.fixture
def read(tmp_path):
    def read_text(text: str):
        (tmp_path / "s.yaml").write_text(text, encoding="utf-8")
        return load_suppressions(tmp_path / "s.yaml")

    return read_text


def states(records, today=TODAY, findings=(ONE, OTHER)):
    return [(s.state, s.findings) for s in suppressed(records, findings, SUBJECTS, today)]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        pytest.param(f"finding: {ONE.id}", ("acts", (ONE.id,)), id="by-id"),
        pytest.param("finding: answers-read-ffff", ("unused", ()), id="an-id-nothing-has"),
        pytest.param("detector: answers-read, subject: b_1", ("acts", (OTHER.id,)), id="subject"),
        pytest.param("detector: answers-read, competition: modechoice", ("acts", (OTHER.id,)),
                     id="competition"),
        pytest.param("detector: answers-read, subject: a_1, competition: modechoice",
                     ("unused", ()), id="both-must-hold"),
        pytest.param("detector: grader-probed, subject: a_1", ("unused", ()), id="its-detector"),
    ],
)  # fmt: skip
def test_a_suppression_fits_what_it_names_and_nothing_else(read, what, expected):
    assert states(read(f"suppressions:\n  - {{{what}, {WHO}}}\n")) == [expected]


@pytest.mark.parametrize(
    ("today", "state", "struck"),
    [
        pytest.param(date(2026, 5, 31), "acts", {ONE.id}, id="before"),
        pytest.param(date(2026, 6, 1), "acts", {ONE.id}, id="its-last-day"),
        pytest.param(date(2026, 6, 2), "expired", set(), id="the-day-after"),
    ],
)
def test_a_suppression_acts_up_to_its_last_day(read, today, state, struck):
    made = suppressed(
        read(f"suppressions:\n  - {{finding: {ONE.id}, {WHO}}}\n"), [ONE], SUBJECTS, today
    )

    assert made[0].state == state
    assert made[0].findings == (ONE.id,)  # named all the same
    assert struck_out(made) == struck


def test_suppressions_of_a_document_can_be_put_on_findings_anew(read):
    records = read(f"suppressions:\n  - {{finding: {ONE.id}, {WHO}}}\n")

    assert again(suppressed(records, [ONE], SUBJECTS, TODAY)) == records


@pytest.mark.parametrize(
    ("record", "said"),
    [
        pytest.param("finding: x, author: a, expires: 2026-01-01", "reason: required", id="reason"),
        pytest.param("finding: x, reason: r, expires: 2026-01-01", "author: required", id="author"),
        pytest.param("finding: x, reason: r, author: a", "expires: required", id="expiry"),
        pytest.param("finding: x, reason: ' ', author: a, expires: 2026-01-01", "reason",
                     id="blank-reason"),
        pytest.param("finding: x, reason: r, author: a, expires: never", "expires", id="no-date"),
        pytest.param("finding: x, reason: r, author: a, expires: 20261231", "expected a date",
                     id="a-number"),
        pytest.param("finding: x, reason: r, author: a, expires: '1798761600'", "expected a date",
                     id="a-number-as-text"),
        pytest.param('finding: x, reason: "\\u200b", author: a, expires: 2026-01-01', "be seen",
                     id="an-unseen-reason"),
        pytest.param(f"finding: x, until: 3, {WHO}", "until: unknown field", id="unknown-field"),
        pytest.param(WHO, "either a finding, or a detector with", id="about-nothing"),
        pytest.param(f"detector: d, {WHO}", "either a finding, or a detector with",
                     id="a-whole-detector"),
        pytest.param(f"subject: a_1, {WHO}", "either a finding, or a detector with",
                     id="a-whole-subject"),
        pytest.param(f"finding: x, detector: d, subject: s, {WHO}", "either a finding, or",
                     id="two-ways-at-once"),
        pytest.param(f"finding: x, subject: s, {WHO}", "either a finding, or", id="mixed"),
    ],
)  # fmt: skip
def test_a_record_that_does_not_answer_for_itself_is_refused_with_file_and_field(
    read, tmp_path, record, said
):
    with pytest.raises(InvalidDefinitionError, match=said) as caught:
        read(f"suppressions:\n  - {{{record}}}\n")
    assert str(tmp_path / "s.yaml") in str(caught.value)


def test_all_that_is_missing_is_told_at_once(read):
    with pytest.raises(InvalidDefinitionError) as caught:
        read("suppressions:\n  - finding: x\n")

    assert [p.partition(":")[0] for p in caught.value.problems] == [
        f"suppressions.0.{name}" for name in ("reason", "author", "expires")
    ]


def test_an_empty_list_suppresses_nothing(read):
    assert read("suppressions: []\n") == ()


def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match=r"none\.yaml"):
        load_suppressions(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match=r"none\.yaml"):
        load_appeals(tmp_path / "none.yaml")


def test_an_appeal_says_whether_its_finding_is_here(tmp_path):
    (tmp_path / "a.yaml").write_text(
        "appeals:\n"
        f"  - {{finding: {ONE.id}, text: it is ours, author: B, date: 2026-05-01}}\n"
        "  - {finding: gone-1, text: it is ours, author: B, date: 2026-05-01}\n"
    )
    made = appealed(load_appeals(tmp_path / "a.yaml"), [ONE, OTHER])

    assert [(a.finding, a.is_known) for a in made] == [(ONE.id, True), ("gone-1", False)]


@pytest.mark.parametrize("gone", ["finding", "text", "author", "date"])
def test_an_appeal_without_one_of_its_parts_is_refused(tmp_path, gone):
    parts = {"finding": "x", "text": "t", "author": "a", "date": "2026-01-01"}
    said = ", ".join(f"{name}: {value}" for name, value in parts.items() if name != gone)
    (tmp_path / "a.yaml").write_text(f"appeals:\n  - {{{said}}}\n")

    with pytest.raises(InvalidDefinitionError, match=f"{gone}: required"):
        load_appeals(tmp_path / "a.yaml")
