"""Say whether rows that were held out for validation were fitted on before they were scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.leakage.code_faults import (
    fitted_on_both_files,
    fitted_on_held_out,
    trained_on_held_out,
)
from detectors.leakage.code_reading import applies_to_code, gap_of, programs_of
from reports.schema import Confidence, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.base import Subject
    from detectors.leakage.code_reading import Program
    from reports.schema import CodeLines, Finding


@register
@dataclass(frozen=True)
class TestUsedInFit:
    """Rows held out for validation that a model or a transformation was fitted on.

    A model that was trained on held-out rows and is scored on them, as after ``fit(X, y)`` and
    ``score(X_test, y_test)``, tells nothing of new rows: high severity. A transformation that is
    fitted anew on the held-out rows, so that they are seen as no new row would be: low. One that is
    fitted on the features of the task's train file and test file together is a habit of
    competitions and no more than a note. A last training on all rows, after the score, is none of
    it, nor is a score on the rows that were trained on, shown as what it is.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with a finding.
    """

    about: ClassVar[About] = About(
        id="test-used-in-fit",
        subject=SubjectKind.ATTEMPT,
        asks="Was something fitted on rows that were held out to score it?",
        blind_spots=(
            "Python alone is followed, by names and without running it: not what a library does, "
            "not other languages, not code that only a log shows. Labels of the task's own test "
            "rows are the question of test-labels-in-training."
        ),
        reference="https://doi.org/10.1145/3551349.3556918 (Yang et al. 2022, overlap leakage)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return applies_to_code(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when code was too long to be followed to its end.
        """
        read = programs_of(subject)
        for severity, message, lines in (
            (
                Severity.HIGH,
                "A model is scored on held-out rows that it was trained on.",
                [line for p in read for line in _overlaps(p)],
            ),
            (
                Severity.LOW,
                "Held-out rows are transformed by what was fitted on themselves.",
                [line for p in read for line in _own_fits(p)],
            ),
            (
                Severity.NOTE,
                "A transformation is fitted on features of the train and the test file together.",
                [line for p in read for line in _both_files(p)],
            ),
        ):
            if lines:
                yield self.about.finding(
                    subject,
                    message,
                    *list(dict.fromkeys(lines))[: self.max_evidence],
                    severity=severity,
                    confidence=Confidence.MEDIUM,
                )
        gap = gap_of(read)
        if gap is not None:
            raise gap


def _overlaps(program: Program) -> Sequence[CodeLines]:
    found = []
    for one in trained_on_held_out(program.story):
        if one.split is not None:
            found.append(program.lines(one.split, "holds rows out"))
        if one.trained is not None:
            found.append(program.lines(one.trained, "trains on them, too"))
        found.append(program.lines(one.scored, "scores the model on them"))
    return found


def _own_fits(program: Program) -> Sequence[CodeLines]:
    return [
        line
        for mark, scoring in fitted_on_held_out(program.story)
        for line in (
            program.lines(mark.place, f"{mark.name}, worked out of the held-out rows alone"),
            program.lines(scoring.place, "predicts or scores them"),
        )
    ]


def _both_files(program: Program) -> Sequence[CodeLines]:
    marks = fitted_on_both_files(program.story)
    return [program.lines(m.place, f"{m.name}, worked out of rows of both files") for m in marks]
