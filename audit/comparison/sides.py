"""Read one side of a comparison: a run group, grading reports, or the document of an audit."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.collect import agent_of, attempt_folders, attempts_in
from audit.facts import facts_of
from audit.grading import grade_attempts
from audit.planned import unfinished
from audit.published import REPORT_PATTERN
from competitions.errors import DocumentError, UsageError
from competitions.io import printable, sha256_file
from reports import report_files
from reports.comparison.schema import Input, LeftOut
from reports.schema import Conclusion, SubjectKind, read_audit
from reports.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reports.grading import CompetitionReport, NotGraded
    from reports.schema import AuditReport

IN_QUESTION = frozenset({Conclusion.REVIEW, Conclusion.DISQUALIFY})
MAX_AUDIT_BYTES = 256 << 20
NOBODY = "unknown"  # the agent of attempts whose records and folders name none
_AUDIT_KEYS = ("schema_version", "subjects", "checks")


@dataclass(frozen=True)
class Source:
    """What a call names as one side.

    Parameters
    ----------
    text : str
        As it was typed: ``runs/group``, ``a.json,b.json`` or ``audit.json#baseline``.
    paths : tuple of Path
        One folder, or one or several files.
    agent : str or None
        Only the attempts of this agent.
    """

    text: str
    paths: tuple[Path, ...]
    agent: str | None = None

    @property
    def name(self) -> str:
        """The names of its files, and the agent where one was chosen."""
        names = ", ".join(p.resolve().name for p in self.paths[:3])
        more = f" and {counted(len(self.paths) - 3, 'more file')}" if len(self.paths) > 3 else ""  # noqa: PLR2004
        return printable(f"{names}{more}" + (f"#{self.agent}" if self.agent else ""))


@dataclass(frozen=True)
class Row:
    """One graded attempt with what its record says; `facts` is empty where there is no record."""

    report: CompetitionReport
    facts: Mapping[str, str] = field(default_factory=dict)
    agent: str | None = None


@dataclass(frozen=True)
class Side:
    """One side as it was read.

    Parameters
    ----------
    in_question : tuple of str
        Attempts that an audit put in question.
    set_aside : tuple of Row
        Their rows, unless they were asked for and stand in `rows`.
    is_vetted : bool
        Whether an audit says which are.
    left_out : tuple of LeftOut
        What could not be read, and attempts that have no grade.
    """

    name: str
    inputs: tuple[Input, ...]
    rows: tuple[Row, ...]
    in_question: tuple[str, ...] = ()
    set_aside: tuple[Row, ...] = ()
    keeps_in_question: bool = False
    n_not_graded: int = 0
    is_vetted: bool = False
    left_out: tuple[LeftOut, ...] = ()

    @property
    def started_at(self) -> datetime | None:
        """When the first of its attempts started, as far as each has a record of that."""
        starts = [row.facts.get("started") for row in self.rows]
        known = [datetime.fromisoformat(s) for s in starts if s]
        return min(known) if known and len(known) == len(starts) else None

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that its rows name."""
        return tuple(sorted({row.agent for row in self.rows if row.agent}))


class _Read(NamedTuple):
    """Rows of one input, before some are left out."""

    inputs: tuple[Input, ...]
    rows: tuple[Row, ...]
    questioned: frozenset[str] = frozenset()
    not_graded: tuple[NotGraded, ...] = ()
    is_vetted: bool = False
    left_out: tuple[LeftOut, ...] = ()


def source_of(text: str) -> Source:
    """Take apart what a call names: files joined by commas, an agent behind ``#``.

    Raises
    ------
    UsageError
        When something of it does not exist, or several are named that are not all files.

    Examples
    --------
    >>> source_of("/tmp#baseline").agent
    'baseline'
    """
    agent = None
    if not Path(text).exists() and "#" in text:
        text, _, agent = text.rpartition("#")
    paths = (Path(text),) if Path(text).exists() else tuple(map(Path, text.split(",")))
    if missing := [p for p in paths if not p.exists()]:
        raise UsageError(
            f"{printable(str(missing[0]))}: expected a run group, a grading report or an audit "
            "document; nothing is there.",
            "Compare two run groups: mle-audit compare runs/A runs/B",
        )
    if len(paths) > 1 and any(p.is_dir() for p in paths):
        raise UsageError(f"{printable(text)}: several may be joined by commas if all are files.")
    return Source(text, paths, agent)


def read_side(
    source: Source,
    data_dir: Path,
    now: datetime,
    *,
    include_flagged: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Side:
    """Read and, of a run group, grade one side.

    Raises
    ------
    UsageError
        When it holds no attempt and no report, or attempts of several agents.
    DocumentError
        When nothing of it can be read or graded.
    """
    first = source.paths[0]
    if first.is_dir() and attempt_folders(first):
        read = _run_group(source, data_dir, now, progress)
    elif first.is_dir():
        read = _reports(_reports_in(first))
    elif len(source.paths) == 1 and _is_audit(first):
        read = _audit(first)
    else:
        read = _reports(source.paths)
    rows = _of_one_agent(source, read)
    gone = set() if include_flagged else read.questioned
    kept = tuple(r for r in rows if _attempt(r) not in gone)
    questioned = tuple(sorted(a for r in rows if (a := _attempt(r)) in read.questioned))
    if not kept:
        raise DocumentError(f"{source.name}: {_why_empty(rows, read.not_graded)}")
    return Side(
        name=source.name,
        inputs=read.inputs,
        rows=kept,
        in_question=questioned,
        set_aside=tuple(r for r in rows if _attempt(r) in gone),
        keeps_in_question=include_flagged,
        n_not_graded=len(read.not_graded),
        is_vetted=read.is_vetted,
        left_out=(*read.left_out, *_without_grade(read.not_graded)),
    )


def _why_empty(rows: Sequence[Row], not_graded: Sequence[NotGraded]) -> str:
    if rows:
        return "an audit put every attempt in question; keep them with --include-flagged."
    if not_graded:
        why = not_graded[0].why.partition("\n")[0]
        return f"none of its attempts could be graded; the first: {why}"
    return "expected graded attempts, found none."


def _attempt(row: Row) -> str | None:
    return row.report.mle_audit.attempt if row.report.mle_audit else None


def _of_one_agent(source: Source, read: _Read) -> tuple[Row, ...]:
    names = sorted({row.agent or NOBODY for row in read.rows})
    if source.agent is None and len(names) > 1:
        raise UsageError(
            f"{source.name} holds attempts of {counted(len(names), 'agent')} "
            f"({listed(names[:5])}), and a side is one system.",
            f"Name one of them: mle-audit compare {source.text}#{names[0]} "
            f"{source.text}#{names[1]}",
        )
    rows = tuple(r for r in read.rows if source.agent in {None, r.agent or NOBODY})
    if source.agent is not None and source.agent not in names:
        raise UsageError(
            f"{source.name}: no graded attempt is of agent {printable(source.agent)!r}; there are "
            f"those of {listed(names[:5]) or 'nobody'}."
        )
    return rows


def _without_grade(not_graded: Sequence[NotGraded]) -> Iterator[LeftOut]:
    alike: dict[str, list[str]] = {}
    for one in not_graded:
        alike.setdefault(one.why.partition("\n")[0], []).append(one.attempt)
    for why, attempts in alike.items():
        more = f" and {len(attempts) - 3} more" if len(attempts) > 3 else ""  # noqa: PLR2004
        yield LeftOut(what=f"{', '.join(attempts[:3])}{more}", why=f"not graded: {why}")


def _run_group(
    source: Source, data_dir: Path, now: datetime, progress: Callable[[str], None] | None
) -> _Read:
    """Grade a group's attempts, of the chosen agent alone where one is."""
    place = source.paths[0]
    everything = attempts_in([place])
    left = unfinished([place], everything)
    attempts = [a for a in everything if source.agent in {None, agent_of(a)}]
    chosen = {a.id for a in attempts}
    left = tuple(
        n for n in left if n.attempt in chosen or source.agent is None or n.agent == source.agent
    )
    report = grade_attempts(attempts, data_dir, now, progress, left)
    records = {a.id: a.readable_record for a in attempts}
    details = report.mle_audit
    rows = []
    for row in report.competition_reports:
        name = row.mle_audit.attempt if row.mle_audit else None
        record = records.get(name) if name else None
        facts = facts_of(record) if record else {}
        rows.append(Row(row, facts, row.mle_audit.agent if row.mle_audit else None))
    return _Read(
        (Input(name=printable(place.resolve().name), kind="run group"),),
        tuple(rows),
        not_graded=details.not_graded if details else (),
    )


def _reports_in(folder: Path) -> tuple[Path, ...]:
    """Find the grading reports in a folder without attempts: by their usual name, else any JSON."""
    found = sorted(p for p in folder.glob(REPORT_PATTERN) if p.is_file())
    found = found or sorted(p for p in folder.glob("*.json") if p.is_file())
    if not found:
        raise UsageError(
            f"{printable(str(folder))}: expected attempts or grading reports, found none.",
            "Make some with: mle-audit run --agent baseline -c breast-cancer",
        )
    return tuple(found)


def _reports(paths: Sequence[Path]) -> _Read:
    read = report_files.read_reports(paths)
    left = [LeftOut(what=name, why=why) for name, why in read.unread.items()]
    for file in read.files:
        left += [LeftOut(what=f"part of {file.name}", why=printable(f)) for f in file.faults]
    if not read.files:
        first, *others = read.unread.values()
        more = f" {counted(len(others), 'more file')} cannot be read either." if others else ""
        raise DocumentError(f"{first}{more}")
    several = Counter(f.sha256 for f in read.files)
    files = {f.sha256: f for f in read.files}
    left += [
        LeftOut(what=files[sha].name, why=f"given {n} times, counted once")
        for sha, n in several.items()
        if n > 1
    ]
    not_graded = tuple(
        n for f in files.values() if f.report.mle_audit for n in f.report.mle_audit.not_graded
    )
    return _Read(
        tuple(Input(name=f.name, kind="grading report", sha256=f.sha256) for f in files.values()),
        tuple(
            Row(row, {}, report_files.agent_of(row))
            for f in files.values()
            for row in f.report.competition_reports
        ),
        not_graded=not_graded,
        left_out=tuple(left),
    )


def _is_audit(path: Path) -> bool:
    """Say whether a file is an audit's document, and not a grading report or something broken."""
    if path.stat().st_size > MAX_AUDIT_BYTES:
        return False
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and all(key in content for key in _AUDIT_KEYS)


def _audit(path: Path) -> _Read:
    report = read_audit(path)
    if report.grading is None or not report.grading.competition_reports:
        raise DocumentError(
            f"{printable(str(path))}: this audit holds no grades of attempts.",
            "Compare the grading reports themselves: mle-audit compare A.json B.json",
        )
    facts = {s.id: s.facts for s in report.subjects if s.kind is SubjectKind.ATTEMPT}
    details = report.grading.mle_audit
    return _Read(
        (Input(name=printable(path.name), kind="audit document", sha256=sha256_file(path)),),
        tuple(
            Row(
                row,
                facts.get(row.mle_audit.attempt or "", {}) if row.mle_audit else {},
                report_files.agent_of(row),
            )
            for row in report.grading.competition_reports
        ),
        questioned=_questioned(report, frozenset(facts)),
        not_graded=details.not_graded if details else (),
        is_vetted=True,
    )


def _questioned(report: AuditReport, attempts: frozenset[str]) -> frozenset[str]:
    return frozenset(
        v.subject for v in report.verdicts if v.subject in attempts and v.conclusion in IN_QUESTION
    )
