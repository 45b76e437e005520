"""What an audit document says of grading reports and published rows: their figures, recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.claims.missing_context import disclosure
from reports.grading import Headline, is_comparable
from reports.overview import medal
from reports.seeds import complete, expected_tasks, figures, seeds_of
from reports.sensitivity.models import ReportedRow, ReportedSeed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.group import Group
    from reports.grading import CompetitionReport
    from reports.seeds import Seed

ALL_ATTEMPTS = "all"


def facts_of_published(group: Group) -> dict[str, str]:
    """Return what a document says of the published side of a group, nothing where it has none."""
    if not group.reports and not group.claims:
        return {}
    card = {name: value or "not told" for name, value in disclosure(group).items()}
    said = {f"published: {c.label}": "; ".join(f.words for f in c.figures) for c in group.claims}
    seeds, whole = _seeds(group)
    if not seeds:
        return {**card, **said}
    found = {
        f"{words}, {f.split} ({f.n_tasks} tasks)": f.words
        for flag, words in (
            ("any_medal", "any medal"),
            ("valid_submission", "valid submission"),
            ("above_median", "above median"),
        )
        for f in figures(whole, flag)
    }
    return {**card, **said, "complete seeds": f"{len(whole)} of {len(seeds)}", **found}


def published_headlines(groups: Iterable[Group]) -> tuple[Headline, ...]:
    """Aggregate the complete seeds of reports: all tasks, and each of MLE-bench's splits."""
    return tuple(h for g in groups if g.reports and not g.graded for h in _headlines(g))


def reported_seeds(group: Group) -> tuple[ReportedSeed, ...]:
    """Return every row of a group's reports by seed, those that are incomplete too."""
    seeds, whole = _seeds(group)
    names = {s.name for s in whole}
    return tuple(
        ReportedSeed(
            name=seed.name,
            counted=seed.name in names,
            rows=tuple(_row(row) for _, row in sorted(seed.rows.items())),
        )
        for seed in seeds
    )


def _row(row: CompetitionReport) -> ReportedRow:
    return ReportedRow(
        task=row.competition_id,
        variant=row.mle_audit.variant if row.mle_audit else "v1",
        score=row.score,
        medal=medal(row),
        above_median=row.above_median,
        has_submission=row.submission_exists,
        comparable=is_comparable(row),
    )


def _headlines(group: Group) -> Iterator[Headline]:
    _, whole = _seeds(group)
    flags = ("any_medal", "valid_submission", "above_median")
    by_flag = [figures(whole, flag) for flag in flags] if whole else []
    splits = list(zip(*by_flag, strict=True))
    for won, valid, median in [*splits[-1:], *splits[:-1]]:
        name = group.name if won.split == ALL_ATTEMPTS else f"{group.name}, {won.split}"
        yield Headline(
            agent=name,
            attempts=ALL_ATTEMPTS,
            n_attempts=won.n_tasks * len(whole),
            seeds=tuple(range(len(whole))),
            n_tasks=won.n_tasks,
            any_medal=won.share,
            valid_submission=valid.share,
            above_median=median.share,
            n_medal_tasks=won.n_tasks,
        )


def _seeds(group: Group) -> tuple[tuple[Seed, ...], tuple[Seed, ...]]:
    """Return the seeds of a group's reports, and those that are complete."""
    seeds = seeds_of(group.reports)
    return seeds, complete(seeds, expected_tasks(seeds))
