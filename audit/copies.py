"""What was copied, for a terminal: one row for a copy and its source, the surest first."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from audit import console
from competitions.io import printable
from reports.copies import Copies, shared
from reports.copy_words import LEGEND, percent, probability
from reports.overview import Overview
from reports.schema import Conclusion, Outcome
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
_ORDER = (
    *(Conclusion.DISQUALIFY, Conclusion.REVIEW, Conclusion.NOTE),
    *(Conclusion.UNDETERMINED, Conclusion.CLEAN),
)

_WORDS = {
    Conclusion.DISQUALIFY: "to disqualify",
    Conclusion.REVIEW: "to be reviewed",
    Conclusion.NOTE: "with notes",
    Conclusion.UNDETERMINED: "undetermined",
    Conclusion.CLEAN: "clean",
}
_NAMED = 5
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
    over = Overview(report)
    attempts = {one.subject.id for one in over.attempts}
    found = Counter(v.conclusion for v in report.verdicts if v.subject in attempts)
    told = ", ".join(f"{found[c]} {_WORDS[c]}" for c in _ORDER if found[c])
    yield f"{_looked_at(over)} looked at: {told}."
    yield from _in_notes(report, attempts)
    yield from _gaps(report)
    if first := next(iter(Copies(over).pairs), None):
        place = shlex.quote(str(document))
        yield f"The proof of the first: mle-audit explain {first.findings[0].id} -d {place}"


def _looked_at(over: Overview) -> str:
    """Count what was looked at by its kind."""
    many = len(over.attempts)
    if over.is_loose:
        return counted(many, "file or folder", "files and folders")
    if all(one.subject.agent for one in over.attempts):
        return counted(many, "attempt")
    return counted(many, "attempt or file", "attempts and files")


def _in_notes(report: AuditReport, attempts: set[str]) -> Iterator[str]:
    """Say who is clean though a note about several attempts, which decides nothing, names it."""
    clean = {v.subject for v in report.verdicts if v.conclusion is Conclusion.CLEAN} & attempts
    if named := sorted(clean & {one for f in report.findings for one in f.attempts}):
        yield f"clean, but named in a note, which is no accusation: {_few(named)}"


def _gaps(report: AuditReport) -> Iterator[str]:
    """Say whom nothing clears and why, and what else nobody could look at."""
    open_: dict[str, list[str]] = {}
    for verdict in report.verdicts:
        if verdict.conclusion is Conclusion.UNDETERMINED:
            open_.setdefault(verdict.because[0], []).append(verdict.subject)
    for why, subjects in open_.items():
        yield f"undetermined: {_few(subjects)}: {_first_line(why)}"
    told = {subject for subjects in open_.values() for subject in subjects}
    blind = {Outcome.NOT_AVAILABLE, Outcome.FAILED}
    rest = (c for c in report.checks if c.outcome in blind and c.subject not in told)
    for detector, why in dict.fromkeys((c.detector, _first_line(c.reason or "")) for c in rest):
        yield f"not looked at: {detector}: {why}"


def _first_line(text: str) -> str:
    return printable(text.partition("\n")[0])


def _few(names: list[str]) -> str:
    rest = len(names) - _NAMED
    shown = ", ".join(printable(name) for name in names[:_NAMED])
    return f"{shown} and {rest} more" if rest > 0 else shown
