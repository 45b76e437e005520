"""Hold what an agent's logs say of its own validation against what it scored on hidden rows."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, median
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.group import Group
from detectors.leakage.code_claims import claim_of
from detectors.training.handed_in import task_of
from reports.schema import Confidence, LogLines, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.base import Subject
    from detectors.leakage.code_claims import Claimed
    from reports.schema import Finding


class Gap(NamedTuple):
    """An attempt's own validation score beside its hidden one.

    Parameters
    ----------
    by : float
        By how much the own score is the better one, in units of the metric.
    """

    task: str
    attempt: str
    claimed: Claimed
    hidden: float
    by: float


@register
@dataclass(frozen=True)
class LocalVsHiddenGap:
    """Validation scores that are better than the hidden ones on nearly every task.

    Of each attempt the last validation score that its log tells in the task's own metric is held
    against what the submission scored; of each task the mean difference over attempts counts as
    better or worse, and a sign test over tasks asks whether that is chance. A validation that
    repeats the task's split is off to both sides alike; one that leaks is off to one. A choice
    among many models makes it a little better than it is, too: the finding is of low severity.

    Parameters
    ----------
    max_p : float in (0, 1), default=0.02
        From which p value of the one-sided sign test it is told.
    min_tasks : int >= 2, default=6
        Tasks with both figures below which nothing is said.
    max_evidence : int >= 1, default=8
        Attempts shown with the finding.
    data : str, default=""
        Directory of prepared data, where definitions of tasks outside the catalog were kept.
    """

    about: ClassVar[About] = About(
        id="local-vs-hidden-gap",
        subject=SubjectKind.GROUP,
        asks="Are the agent's own validation scores better than its hidden ones throughout?",
        blind_spots=(
            "A log that tells its score in another metric, or in words that are not known, is left "
            "out. A test part that is harder than the train part by nature looks the same."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023); "
        "https://doi.org/10.2307/2332286 (Dixon and Mood 1946, the sign test)",
    )
    max_p: float = 0.02
    min_tasks: int = 6
    max_evidence: int = 8
    data: str = ""

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        tasks = {r.competition_id for r in subject.graded if r.score is not None}
        if len(tasks) < self.min_tasks:
            return f"it takes {self.min_tasks} graded tasks, and there are {len(tasks)}"
        return None

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the logs of too few tasks tell a validation score.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        gaps = gaps_of(subject, self.data)
        by_task: dict[str, list[float]] = {}
        for gap in gaps:
            by_task.setdefault(gap.task, []).append(gap.by)
        if len(by_task) < self.min_tasks:
            told = f"Logs tell a validation score for {counted(len(by_task), 'task')} alone."
            raise EvidenceUnavailableError("validation scores", told)
        better, n, p = signs([mean(v) for v in by_task.values()])
        if n and p <= self.max_p:
            yield self._finding(subject, gaps, (better, n, p))

    def _finding(
        self, subject: Group, gaps: Sequence[Gap], signs: tuple[int, int, float]
    ) -> Finding:
        better, n, p = signs
        share = median(g.by / max(abs(g.hidden), 1e-9) for g in gaps)
        widest = sorted(gaps, key=lambda g: -g.by / max(abs(g.hidden), 1e-9))
        return self.about.finding(
            subject,
            f"On {better} of {n} tasks the validation score that the logs tell is better than the "
            f"hidden one (sign test p = {p:.2g}); the median difference is {100 * share:.1f} % of "
            "the hidden score.",
            *(e for g in widest[: self.max_evidence] for e in _shown(g)),
            severity=Severity.LOW,
            confidence=Confidence.MEDIUM,
        )


def signs(differences: Sequence[float]) -> tuple[int, int, float]:
    """Return how many are above 0, how many are not 0, and the one-sided p of a sign test.

    Examples
    --------
    >>> signs([0.1, 0.2, 0.3, 0.1, -0.1, 0.0])
    (4, 5, 0.1875)
    """
    from scipy.stats import binomtest

    better, n = sum(d > 0 for d in differences), sum(d != 0 for d in differences)
    return better, n, float(binomtest(better, n, alternative="greater").pvalue) if n else 1.0


def gaps_of(group: Group, data_dir: str = "") -> list[Gap]:
    """Return the attempts of which both scores are known, in the order of the group."""
    rows = {r.mle_audit.attempt: r for r in group.graded if r.mle_audit and r.mle_audit.attempt}
    found = []
    for attempt in group.attempts:
        row, spec = rows.get(attempt.id), task_of(attempt, data_dir)
        if row is None or row.score is None or spec is None:
            continue
        claimed = claim_of(attempt.logs, spec.metric.name, row.score)
        if claimed is not None:
            sign = -1 if row.is_lower_better else 1
            by = sign * (claimed.value - row.score)
            found.append(Gap(row.competition_id, attempt.id, claimed, row.score, by))
    return found


def _shown(gap: Gap) -> Iterator[LogLines | Quantity]:
    yield Quantity(
        name=f"validation score of {gap.attempt}",
        value=gap.claimed.value,
        compared_with="hidden score",
        reference=gap.hidden,
    )
    yield LogLines(
        path=f"{gap.attempt}/{gap.claimed.path}",
        first_line=gap.claimed.line,
        last_line=gap.claimed.line,
        excerpt=gap.claimed.text,
        shows="tells the validation score",
    )
