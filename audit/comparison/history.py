"""Follow one system over its versions: which differences belong to a recorded update."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from audit.collect import attempt_folders
from audit.comparison.compare import overlap, read_sides, same
from audit.comparison.document import (
    Taken,
    make_document,
    make_step,
    measure_of,
    nothing_to_compare,
)
from audit.comparison.sides import source_of
from audit.comparison.statistics import holm
from competitions.errors import DocumentError, MleAuditError, UsageError
from reports.comparison.schema import LeftOut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from audit.comparison.compare import Options
    from audit.comparison.sides import Side, Source
    from reports.comparison.schema import Comparison, Step

_TWO = 2
_LISTS = frozenset({".txt", ".csv", ".list"})


def history(
    versions: Sequence[str],
    options: Options,
    now: datetime,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Follow one system over its versions, each against the one before and against the first.

    A difference counts only where the record of the update exists: the attempts of both versions
    have an ``attempt.json``, or an audit's facts made of it, with one digest of the agent's folder
    per version, and the digests differ; and where nothing else changed and nothing is undisclosed.
    The p-values of the steps that count are corrected by Holm's method.

    Parameters
    ----------
    versions : sequence of str
        As for `compare`; a single folder of run groups, or a list file with one a line.

    Raises
    ------
    UsageError
        When fewer than two versions are named or can be read.
    DataError
        When no two of them have a task in common.
    """
    sources, doubled = _once(source_of(text) for text in named_versions(versions))
    sides, problems = read_sides(sources, options, now, progress)
    out = [*doubled, *(LeftOut(what=name, why=_line(error)) for name, error in problems)]
    sides, copied = _apart(sides)
    out += copied
    if len(sides) < _TWO:
        raise _too_few(len(sides), out, problems)
    is_recorded = all(side.started_at for side in sides)
    if is_recorded:
        sides.sort(key=lambda s: s.started_at.timestamp() if s.started_at else 0.0)
    taken = [Taken(str(i), side) for i, side in enumerate(sides, start=1)]
    measure = measure_of(taken, options.metric, options.data_dir)
    steps = []
    for i, version in enumerate(taken[1:]):
        steps.append(make_step(taken[i], version, measure, is_history=True))
        if i:
            steps.append(make_step(taken[0], version, measure, "the first", is_history=True))
        if progress:
            progress(f"version {version.label}")
    if all(step.result is None for step in steps):
        raise nothing_to_compare(taken[:_TWO], measure.metric, steps[0])
    order: Literal["recorded start", "as given"] = "recorded start" if is_recorded else "as given"
    return make_document(taken, measure, _corrected(steps), now, order, out)


def named_versions(texts: Sequence[str]) -> list[str]:
    """Return the versions that a call names: themselves, a list file's lines, a folder's groups.

    Raises
    ------
    UsageError
        When a list file cannot be read.
    """
    if len(texts) != 1:
        return list(texts)
    place = Path(texts[0])
    if place.is_file() and place.suffix in _LISTS:
        try:
            lines = place.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{place}: no list of versions can be read: {error}.") from error
        named = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        return [_beside(place, name) for name in named]
    if place.is_dir():
        groups = list(dict.fromkeys(folder.parent for folder in attempt_folders(place)))
        return [str(group) for group in groups] or list(texts)
    return list(texts)


def _beside(place: Path, name: str) -> str:
    """Take a path in a list file from the list's folder, as far as it lies there."""
    parts = [str(p) if (p := place.parent / part).exists() else part for part in name.split(",")]
    beside = place.parent / name.rpartition("#")[0]
    if "#" in name and beside.exists():
        return f"{place.parent / name}"
    return ",".join(parts)


def _line(error: MleAuditError) -> str:
    return " ".join(error.problem.split())


def _too_few(
    n: int, out: Sequence[LeftOut], problems: Sequence[tuple[str, MleAuditError]]
) -> MleAuditError:
    """Say why no history is left; it is the call's fault unless all else could not be read."""
    told = "".join(f"\n  - {o.what}: {o.why}" for o in out)
    unread = bool(problems) and all(e.exit_code != UsageError.exit_code for _, e in problems)
    kind = DocumentError if unread else UsageError
    return kind(
        f"A history needs two versions at least; {n} could be read.{told}",
        "Name them one by one: mle-audit compare --history v1 v2 v3",
    )


def _once(sources: Iterable[Source]) -> tuple[list[Source], list[LeftOut]]:
    kept: list[Source] = []
    out = []
    for source in sources:
        if any(same(source, other) for other in kept):
            out.append(LeftOut(what=source.name, why="named twice, taken once"))
        else:
            kept.append(source)
    return kept, out


def _apart(sides: Sequence[Side]) -> tuple[list[Side], list[LeftOut]]:
    """Leave out versions that hold attempts or files of an earlier one: copies of it."""
    kept: list[Side] = []
    out = []
    for side in sides:
        other = next((k for k in kept if overlap(k, side)), None)
        if other is None:
            kept.append(side)
        else:
            out.append(LeftOut(what=side.name, why=f"holds attempts or files of {other.name}"))
    return kept, out


def _corrected(steps: Sequence[Step]) -> list[Step]:
    """Correct the steps that count for their number, those to the first apart from the others."""
    made = list(steps)
    for against in ("the one before", "the first"):
        places = [
            i
            for i, step in enumerate(made)
            if step.against == against
            and step.counts
            and step.result
            and step.result.main.permutation_p is not None
        ]
        ps = [
            p for i in places if (r := made[i].result) and (p := r.main.permutation_p) is not None
        ]
        for i, p in zip(places, holm(ps), strict=True):
            made[i] = made[i].model_copy(update={"holm_p": p})
    return made
