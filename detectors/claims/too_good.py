"""Name scores above the best human of a board: where to look first, and no proof of anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.board_facts import all_facts, load_kaggle_board
from detectors.base import About, register
from detectors.claims.report_rows import NO_ROWS
from detectors.group import Group
from reports.grading import is_comparable
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.grading import CompetitionReport
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class TooGood:
    """Scores better than the best team of the pinned board, for triage alone.

    In three complete public reports this happens on 9 of 75 tasks: MLE-bench's test part is another
    one than Kaggle's, often easier, and tools are newer than the boards.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Scores shown with the finding.
    """

    about: ClassVar[About] = About(
        id="too-good",
        subject=SubjectKind.GROUP,
        asks="Which scores are above the best human of the board, so that one looks there first?",
        blind_spots=(
            "It is no sign of anything by itself: the test part is another one than Kaggle's. A "
            "score that is too good and below the best team is not seen."
        ),
        reference="https://doi.org/10.48550/arXiv.2410.07095 (MLE-bench, new splits)",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        return None if subject.rows else NO_ROWS

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        best: dict[str, tuple[CompetitionReport, float]] = {}
        for row in subject.rows:
            if row.score is None or row.competition_id not in all_facts() or not is_comparable(row):
                continue
            human = load_kaggle_board(row.competition_id).scores[0]
            sign = -1 if all_facts()[row.competition_id].direction == "lower" else 1
            known = best.get(row.competition_id)
            leads = known is None or sign * row.score > sign * (known[0].score or 0.0)
            if sign * row.score > sign * human and leads:
                best[row.competition_id] = (row, human)
        if best:
            tasks = sorted(best)
            yield self.about.finding(
                subject,
                f"Scores on {counted(len(tasks), 'task')} are better than the best team of the "
                f"board: {', '.join(tasks)}. That happens honestly; one looks there first.",
                *(
                    Quantity(
                        name=f"{task}, best score",
                        value=best[task][0].score or 0.0,
                        compared_with="the best team of the board",
                        reference=best[task][1],
                    )
                    for task in tasks[: self.max_evidence]
                ),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )
