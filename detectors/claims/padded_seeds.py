"""Name seeds that lack tasks, rows that stand in for missing ones, and rows that do not belong."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.board_facts import all_facts
from detectors.base import About, register
from detectors.claims.board_mismatch import pinned_limits
from detectors.claims.report_rows import NO_REPORTS, file_evidence
from detectors.group import Group
from reports.claims import split_tasks
from reports.schema import Confidence, Quantity, Severity, SubjectKind
from reports.seeds import complete, expected_tasks, figures, seeds_of
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Sized

    from detectors.base import Subject
    from reports.claims import Claim
    from reports.grading import CompetitionReport
    from reports.schema import Evidence, Finding
    from reports.seeds import Seed

_MOST_NAMED = 8


@register
@dataclass(frozen=True)
class PaddedSeeds:
    """Whether each seed has one row per task, and what figures without the others would be.

    MLE-bench averages over complete seeds; with ``--pad-missing`` a task without a run counts as
    failed. A seed without a task is a note where nothing is claimed of it, and more where a row
    counts more seeds than are complete. Rows that stand in for missing runs have neither submission
    nor thresholds. Rows that stand in a report twice, tasks nobody knows and two variants of a task
    in one mean are named too.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Seeds or rows shown with a finding.
    """

    about: ClassVar[About] = About(
        id="padded-seeds",
        subject=SubjectKind.GROUP,
        asks="Does each seed have one row for every task, none filled in and none twice?",
        blind_spots=(
            "Rows do not name their seed in MLE-bench's reports: each file is taken for a seed, or "
            "for the rest of one. A filled-in row with thresholds looks like a run that handed "
            "nothing in."
        ),
        reference="https://github.com/openai/mle-bench/blob/main/experiments/aggregate_grading_reports.py",
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        return None if subject.reports else NO_REPORTS

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        yield from self._incomplete(subject)
        yield from self._filled_in(subject)
        yield from self._twice(subject)
        yield from self._variants(subject)
        yield from self._unknown(subject)

    def _incomplete(self, subject: Group) -> Iterator[Finding]:
        seeds = seeds_of(subject.reports)
        named = {f.split for claim in subject.claims for f in claim.figures}
        tasks = expected_tasks(seeds, filter(split_tasks, named))
        partial = [s for s in seeds if s.missing(tasks)]
        if not partial:
            return
        whole = complete(seeds, tasks)
        over = [c for c in subject.claims if c.seeds and c.seeds > len(whole)]
        told = "; ".join(f"{s.name} lacks {_named(s.missing(tasks))}" for s in partial[:4])
        claimed = f" {_claimed(over[0])}." if over else ""
        yield self.about.finding(
            subject,
            f"{len(whole)} of {counted(len(seeds), 'seed')} {_verb(whole, 'has', 'have')} a row "
            f"for each of {len(tasks)} tasks: {told}. Any medal over all tasks: "
            f"{_both(whole, seeds, tasks)}.{claimed}",
            *(
                Quantity(
                    name=f"{s.name}: tasks without a row",
                    value=len(s.missing(tasks)),
                    compared_with="tasks of a whole seed",
                    reference=len(tasks),
                )
                for s in partial[: self.max_evidence]
            ),
            severity=Severity.LOW if over else Severity.NOTE,
            confidence=Confidence.HIGH,
        )

    def _filled_in(self, subject: Group) -> Iterator[Finding]:
        filled = [
            (file, [r for r in file.report.competition_reports if _stands_in(r)])
            for file in subject.reports
        ]
        filled = [(file, rows) for file, rows in filled if rows]
        if not filled:
            return
        tasks = {r.competition_id for _, rows in filled for r in rows}
        n_rows = sum(len(rows) for _, rows in filled)
        yield self.about.finding(
            subject,
            f"{counted(n_rows, 'row')} of {counted(len(tasks), 'task')} without submission and "
            "thresholds: filled in for runs that are missing "
            f"({_named(sorted(tasks))}).",
            *_numbers((f.name, len(rows)) for f, rows in filled[: self.max_evidence]),
            *(file_evidence(f) for f, _ in filled[: self.max_evidence]),
            severity=Severity.LOW,
            confidence=Confidence.MEDIUM,
        )

    def _twice(self, subject: Group) -> Iterator[Finding]:
        again = [file for file in subject.reports if file.twice]
        same: dict[str, list[str]] = defaultdict(list)
        for file in subject.reports:
            same[file.sha256].append(file.name)
        copies = [names for names in same.values() if len(names) > 1]
        if again:
            rows = [r for file in again for r in file.twice]
            medals = sum(r.any_medal for r in rows)
            yield self.about.finding(
                subject,
                f"{counted(len(rows), 'row')} {_verb(rows, 'stands', 'stand')} twice in one report "
                f"({_named(sorted({r.competition_id for r in rows}))}), {counted(medals, 'medal')} "
                f"among them. {_verb(rows, 'It is', 'They are')} counted once here.",
                *_numbers((f.name, len(f.twice)) for f in again[: self.max_evidence]),
                *(file_evidence(f) for f in again[: self.max_evidence]),
                severity=Severity.LOW,
                confidence=Confidence.HIGH,
            )
        if copies:
            yield self.about.finding(
                subject,
                "One grading report is counted as several seeds: "
                f"{'; '.join(' = '.join(names) for names in copies)}.",
                *(file_evidence(f) for f in subject.reports if len(same[f.sha256]) > 1),
                severity=Severity.MEDIUM,
                confidence=Confidence.HIGH,
            )

    def _variants(self, subject: Group) -> Iterator[Finding]:
        by_variant: dict[str, set[str]] = defaultdict(set)
        for row in _rows(subject):  # MLE-bench's own rows name none: they are of v1
            variant = row.mle_audit.variant if row.mle_audit else "v1"
            by_variant[variant].add(row.competition_id)
        if len(by_variant) < 2:  # noqa: PLR2004 - a mix needs two
            return
        told = "; ".join(f"{v}: {_named(sorted(t))}" for v, t in sorted(by_variant.items()))
        yield self.about.finding(
            subject,
            f"Rows of different variants of the tasks stand in one mean: {told}.",
            *_numbers((f"tasks of {v}", len(t)) for v, t in sorted(by_variant.items())),
            severity=Severity.LOW,
            confidence=Confidence.HIGH,
        )

    def _unknown(self, subject: Group) -> Iterator[Finding]:
        ids = sorted({r.competition_id for r in _rows(subject)})
        unknown = [i for i in ids if pinned_limits(i) is None]
        if unknown:
            yield self.about.finding(
                subject,
                f"{counted(len(unknown), 'task')} of the reports {_verb(unknown)} not known here "
                f"and in no split: {_named(unknown)}.",
                Quantity(
                    name="tasks that are not known",
                    value=len(unknown),
                    compared_with="tasks of the reports",
                    reference=len(ids),
                ),
                severity=Severity.NOTE,
                confidence=Confidence.HIGH,
            )


def _stands_in(row: CompetitionReport) -> bool:
    limits = (row.gold_threshold, row.bronze_threshold, row.median_threshold)
    has_board = row.competition_id in all_facts()
    nothing = row.score is None and not row.submission_exists
    return nothing and has_board and all(limit is None for limit in limits)


def _rows(subject: Group) -> tuple[CompetitionReport, ...]:
    return tuple(r for f in subject.reports for r in f.report.competition_reports)


def _both(whole: Sequence[Seed], seeds: Sequence[Seed], tasks: frozenset[str]) -> str:
    """Print the figure over complete seeds, and that with missing tasks counted as failed."""
    padded = figures(seeds, tasks=tasks)[-1].words
    alone = figures(whole, tasks=tasks)[-1].words if whole else "no complete seed"
    return f"{alone} over complete seeds, {padded} with missing tasks counted as failed"


def _claimed(claim: Claim) -> str:
    return f"{claim.label} counts {claim.seeds} seeds"


def _named(tasks: Sequence[str]) -> str:
    more = len(tasks) - _MOST_NAMED
    return ", ".join(tasks[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _verb(things: Sized, one: str = "is", many: str = "are") -> str:
    return one if len(things) == 1 else many


def _numbers(found: Iterable[tuple[str, int]]) -> Iterator[Evidence]:
    for name, n in found:
        yield Quantity(name=f"{name}: rows" if "tasks of" not in name else name, value=n)
