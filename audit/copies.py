"""What was copied, for a terminal: one row for a copy and its source, the surest first."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, NamedTuple

from audit import console
from audit.told import proof_of, told
from reports.copies import Copies, shared
from reports.copy_words import LEGEND, percent, probability
from reports.overview import Overview
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reports.copies import Pair
    from reports.schema import AuditReport

HEAD = (
    *("severity", "copied", "copy", "source"),
    *("shared", "longest run", "p", "q", "finding"),
)
_LEAD = 3  # columns that stay in the first line where there is no room for all
_WIDTH = 100  # columns of a line that no terminal limits


def copy_table(report: AuditReport, width: int | None = None) -> str:
    """Lay out what was copied, with what the figures mean; empty where nothing was.

    Parameters
    ----------
    width : int or None
        Columns of the terminal, from which a wider table is laid out as entries; None when a
        program reads it.
    """
    rows = copy_rows(report)
    if not rows:
        return ""
    table = console.table(HEAD, rows)
    if width is not None and max(map(len, table.splitlines())) > width:
        table = console.entries(HEAD, rows, _LEAD, width)
    told = [textwrap.fill(line, min(width or _WIDTH, console.MAX_WIDTH)) for line in LEGEND]
    return "\n".join([table, "", *told, ""])


def copy_rows(report: AuditReport) -> list[tuple[str, ...]]:
    """Return the rows of the table, the strongest evidence first; see `HEAD`.

    ``copied`` is the share of the source that the copy holds, ``longest run`` how many tokens (of
    prose: words) in a row agree.
    """
    return [_row(pair) for pair in Copies(Overview(report)).pairs]


def _row(pair: Pair) -> tuple[str, ...]:
    best, first, author = pair.strongest, pair.findings[0], pair.provenance.author
    return (
        first.severity.value,
        "–" if pair.share is None else percent(pair.share),
        _copy(pair),
        f"{_evidence(pair)[0].source}{f' by {author}' if author else ''}",
        shared(pair),
        counted(best.longest_run, "word" if best.channel == "prose" else "token") if best else "",
        probability(pair.p),
        probability(pair.q),
        first.id,
    )


def _evidence(pair: Pair) -> list[_Seen]:
    """List where each piece of evidence lies on both sides, the strongest first."""
    best = [pair.strongest] if pair.strongest else []
    return [
        *(_Seen(p.path, p.source) for p in (*best, *pair.passages)),
        *(_Seen(m.path, m.source) for m in pair.marks),
        *(_Seen(mix.path, one.source) for mix, one in pair.mixes),
    ]


def _copy(pair: Pair) -> str:
    """Name the copy: attempt and file, how many files more, and where it was seen alone."""
    paths = list(dict.fromkeys(seen.path for seen in _evidence(pair)))
    whose = pair.copy.subject or pair.copy.label
    alone = paths[0] == whose or paths[0].startswith(f"{whose}/")
    more = f" and {counted(len(paths) - 1, 'more file')}" if paths[1:] else ""
    only = pair.passages and all(p.only_in_trajectory for p in pair.passages)
    seen = " (in trajectory only)" if only else ""
    return f"{paths[0] if alone else f'{whose}/{paths[0]}'}{more}{seen}"


class _Seen(NamedTuple):
    """A file under audit and its source."""

    path: str
    source: str


def conclusions(report: AuditReport, document: Path) -> Iterator[str]:
    """Say in a few lines what became of all that was looked at, and how to see the proof.

    Parameters
    ----------
    document : Path
        Where the report was written.
    """
    yield from told(report)
    if first := next(iter(Copies(Overview(report)).pairs), None):
        yield proof_of(first.findings[0].id, document)
