"""One detector on one subject gives one check, whatever the detector does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest

from audit.check import check
from competitions.errors import EvidenceUnavailableError, NotApplicableError, UsageError
from detectors.base import About
from reports.schema import Confidence, Outcome, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.schema import Finding


@dataclass(frozen=True)
class Scripted:
    """A detector that finds what it is told to and then does what it is told to."""

    about: ClassVar[About] = About("scripted", SubjectKind.ATTEMPT, "Was it?", "All.", "https://x")
    finds: str = ""
    then: str = ""
    threshold: float = 0.5

    def applies(self, _subject: Subject) -> str | None:
        if self.then == "crash early":
            raise KeyError("early")
        return "not mine" if self.then == "refuse" else None

    def detect(self, subject: Subject) -> Iterator[Finding]:
        for name in self.finds.split():
            yield self.about.finding(
                subject, f"saw {name}", Quantity(name=name, value=1.0),
                severity=Severity(name), confidence=Confidence.LOW,
            )  # fmt: skip
        if self.then == "crash":
            raise ZeroDivisionError("by zero")
        if self.then == "recurse":
            list(self.detect(subject))
        if self.then == "miss":
            raise EvidenceUnavailableError("model", "No model here.", "Get one.")
        if self.then == "be senseless":
            raise NotApplicableError("No such columns here.")
        if self.then == "usage":
            raise UsageError("A call was wrong.")


@pytest.mark.parametrize(
    ("finds", "then", "outcome"),
    [
        pytest.param("", "", Outcome.CLEAN, id="nothing"),
        pytest.param("note", "", Outcome.CLEAN, id="a-note-is-no-accusation"),
        pytest.param("low", "", Outcome.FLAGGED, id="low"),
        pytest.param("note high", "", Outcome.FLAGGED, id="note-and-high"),
        pytest.param("", "refuse", Outcome.NOT_APPLICABLE, id="not-mine"),
        pytest.param("", "be senseless", Outcome.NOT_APPLICABLE, id="looking-shows-no-sense"),
        pytest.param("note", "be senseless", Outcome.CLEAN, id="a-note-then-no-more-to-ask"),
        pytest.param("", "miss", Outcome.NOT_AVAILABLE, id="could-not-look"),
        pytest.param("note", "miss", Outcome.NOT_AVAILABLE, id="a-note-then-could-not-look"),
        pytest.param("medium", "miss", Outcome.FLAGGED, id="finding-then-could-not-look"),
        pytest.param("", "crash", Outcome.FAILED, id="crash"),
        pytest.param("high", "crash", Outcome.FAILED, id="finding-then-crash"),
        pytest.param("", "crash early", Outcome.FAILED, id="crash-before-looking"),
        pytest.param("", "recurse", Outcome.FAILED, id="endless-recursion"),
        pytest.param("", "usage", Outcome.FAILED, id="another-error-of-ours"),
    ],
)
def test_every_end_has_its_outcome(make_attempt, finds, then, outcome):
    result = check(Scripted(finds, then), make_attempt())

    assert result.outcome is outcome
    assert [f.severity for f in result.findings] == finds.split()


def test_a_crash_names_the_error_and_its_place(make_attempt):
    result = check(Scripted("low", "crash"), make_attempt())

    assert result.reason
    assert "ZeroDivisionError: by zero" in result.reason
    assert "detect, line" in result.reason


def test_what_was_missing_is_told_even_when_something_was_found(make_attempt):
    attempt = make_attempt()
    for finds in ("", "high"):
        result = check(Scripted(finds, "miss"), attempt)

        assert result.missing == "model"
        assert result.reason == "No model here.\n  Get one."


def test_a_check_names_detector_subject_and_parameters(make_attempt):
    result = check(Scripted(threshold=0.25), make_attempt("t_1"))

    assert (result.detector, result.subject) == ("scripted", "t_1")
    assert result.parameters == {"finds": "", "then": "", "threshold": 0.25}
    assert result.duration_s >= 0


def test_an_interruption_is_not_taken_for_a_crash(make_attempt):
    class Interrupted(Scripted):
        def detect(self, _subject: Subject) -> Iterator[Finding]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(Interrupted(), make_attempt())
