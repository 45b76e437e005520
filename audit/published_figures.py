"""What an audit document says of grading reports and published rows: their figures, recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.claims.missing_context import disclosure
from reports.grading import Headline
from reports.seeds import complete, expected_tasks, figures, seeds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.group import Group
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


def _headlines(group: Group) -> Iterator[Headline]:
    _, whole = _seeds(group)
    flags = ("any_medal", "valid_submission", "above_median")
    by_flag = [figures(whole, flag) for flag in flags] if whole else []
    splits = list(zip(*by_flag, strict=True))
    for medal, valid, median in [*splits[-1:], *splits[:-1]]:
        name = group.name if medal.split == ALL_ATTEMPTS else f"{group.name}, {medal.split}"
        yield Headline(
            agent=name,
            attempts=ALL_ATTEMPTS,
            n_attempts=medal.n_tasks * len(whole),
            seeds=tuple(range(len(whole))),
            n_tasks=medal.n_tasks,
            any_medal=medal.share,
            valid_submission=valid.share,
            above_median=median.share,
            n_medal_tasks=medal.n_tasks,
        )


def _seeds(group: Group) -> tuple[tuple[Seed, ...], tuple[Seed, ...]]:
    """Return the seeds of a group's reports, and those that are complete."""
    seeds = seeds_of(group.reports)
    return seeds, complete(seeds, expected_tasks(seeds))
