"""Grading reports as files of others: what is wrong with one is named, and the rest is read.

A pointer of Git LFS in place of the file, half a file, NaN, unknown keys, broken rows and rows that
stand there twice are faults of a file and no reason to leave the others unread.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import ValidationError

from competitions.errors import DocumentError
from competitions.io import printable, sha256_bytes
from competitions.spec import problems_of
from reports.grading import CompetitionReport, GradingDetails, GradingReport

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAX_REPORT_BYTES: Final = 256 << 20
TOTALS: Final = tuple(n for n in GradingReport.model_fields if n.startswith("total_"))
_LFS = b"version https://git-lfs.github.com/spec/"
_ROWS = "competition_reports"
_MOST_TOLD = 20
_MOST_COUNTED = 10**12  # rows
_BETWEEN = re.compile(r"[ \t\r\n,]*")


@dataclass(frozen=True)
class ReportFile:
    """A grading report with the file it was read from.

    Parameters
    ----------
    name : str
        Of the file, as a report may show it.
    faults : tuple of str
        What is wrong with the file, in sentences; what could be read of it is in `report`.
    totals_known : frozenset of str
        The totals that the header has; those that it lacks are counted from the rows.
    twice : tuple of CompetitionReport
        Rows that stand there again, which `report` holds once.
    is_whole : bool
        False when rows of it could not be read.
    whole : GradingReport or None
        Where `report` holds the rows of one agent alone, the report of all.
    """

    name: str
    sha256: str
    report: GradingReport
    faults: tuple[str, ...] = ()
    totals_known: frozenset[str] = frozenset(TOTALS)
    twice: tuple[CompetitionReport, ...] = ()
    is_whole: bool = True
    whole: GradingReport | None = None

    def of_agent(self, agent: str | None) -> ReportFile:
        """Return the same file with the rows of one agent alone."""
        rows = tuple(r for r in self.report.competition_reports if agent_of(r) == agent)
        if len(rows) == len(self.report.competition_reports):
            return self
        part = self.report.model_copy(update={_ROWS: rows})
        twice = tuple(r for r in self.twice if agent_of(r) == agent)
        return replace(self, report=part, twice=twice, whole=self.report)


class ReportFiles(NamedTuple):
    """The reports that could be read, with their places, and why others could not be."""

    files: tuple[ReportFile, ...]
    paths: tuple[Path, ...]
    unread: dict[str, str]  # a name of the file -> a sentence


def read_reports(paths: Iterable[Path]) -> ReportFiles:
    """Read grading reports, each once; those that cannot be read are named."""
    read: dict[Path, ReportFile] = {}
    unread: dict[str, str] = {}
    places = list(dict.fromkeys(p.resolve() for p in paths))
    several = Counter(p.name for p in places)
    for path in places:
        name = path.name if several[path.name] == 1 else f"{path.parent.name}/{path.name}"
        name = printable(name)
        try:
            read[path] = replace(read_report_file(path), name=name)
        except DocumentError as error:
            unread[name if name not in unread else f"{name} ({len(unread)})"] = error.problem
    return ReportFiles(tuple(read.values()), tuple(read), unread)


def read_report_file(path: Path) -> ReportFile:
    """Read a grading report, ours or MLE-bench's, as far as it can be read.

    Raises
    ------
    DocumentError
        When nothing of it can be read: it is missing, a pointer, no JSON, or has no rows.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_REPORT_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path}: no grading report here ({error.strerror}).") from error
    if len(content) > MAX_REPORT_BYTES:
        raise DocumentError(f"{path}: expected a grading report, found a file of over 256 MiB.")
    if content.startswith(_LFS):
        raise DocumentError(
            f"{path}: expected a grading report, found a pointer of Git LFS in its place.",
            "Fetch the file itself with: git lfs pull",
        )
    read = _Reading(path)
    whole = read.document(content.decode("utf-8-sig", errors="replace"))
    rows = read.rows(whole.get(_ROWS))
    report = read.report(whole, rows)
    return ReportFile(
        printable(path.name),
        sha256_bytes(content),
        report,
        read.told(),
        read.totals,
        tuple(read.twice),
        read.is_whole,
    )


class _Reading:
    """One file being read, with the faults seen on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[str] = []
        self.totals: frozenset[str] = frozenset()
        self.twice: list[CompetitionReport] = []
        self.is_whole = True

    def told(self) -> tuple[str, ...]:
        """Return the faults, the first of them where there are many."""
        more = len(self.faults) - _MOST_TOLD
        return tuple(self.faults[:_MOST_TOLD]) + ((f"and {more} more",) if more > 0 else ())

    def document(self, text: str) -> dict[str, Any]:
        """Parse the file; of one that breaks off, the totals and the whole rows before that."""
        decoder = json.JSONDecoder(object_pairs_hook=self._object)
        try:
            found = decoder.decode(text)
        except RecursionError as error:
            raise DocumentError(f"{self.path}: it is nested too deeply to be read.") from error
        except ValueError as error:
            found = self._part(text, decoder)
            if not found.get(_ROWS):
                raise DocumentError(f"{self.path}: expected JSON, found: {error}.") from error
            self.is_whole = False
            self.faults.append(
                f"it breaks off or is no JSON ({error}); {len(found[_ROWS])} rows before were read"
            )
        if not isinstance(found, dict) or not isinstance(found.get(_ROWS), list):
            raise DocumentError(f"{self.path}: expected a grading report with {_ROWS}, found none.")
        return found

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Build an object; name keys that stand there twice, and texts that cannot be written."""
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                self._fault(f"{printable(name)[:100]} stands twice in one object, the last is read")
            found[self._text(name)] = self._texts(value)
        return found

    def _texts(self, value: Any) -> Any:  # noqa: ANN401 - others' JSON
        if isinstance(value, list):
            return [self._texts(one) for one in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if text.isascii():
            return text
        written = text.encode("utf-8", "replace").decode("utf-8")
        if written != text:
            self._fault("a text holds half a surrogate pair, read as ?")
        return written

    def _fault(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)

    def _part(self, text: str, decoder: json.JSONDecoder) -> dict[str, Any]:
        head, key, tail = text.partition(f'"{_ROWS}"')
        at = tail.find("[") + 1
        rows: list[Any] = []
        while key and at:
            if between := _BETWEEN.match(tail, at):
                at = between.end()
            try:
                row, at = decoder.raw_decode(tail, at)
            except (ValueError, RecursionError):
                break
            rows.append(row)
        try:
            totals = decoder.decode(head.rstrip().rstrip(",") + "}") if rows else {}
        except (ValueError, RecursionError):
            totals = {}
        return {**(totals if isinstance(totals, dict) else {}), _ROWS: rows}

    def rows(self, given: Any) -> list[CompetitionReport]:  # noqa: ANN401 - others' JSON
        """Read the rows, each for itself, those that stand there twice once."""
        found: dict[CompetitionReport, int] = {}
        for number, row in enumerate(given, start=1):
            try:
                read = CompetitionReport.model_validate(self._known(row, number))
            except ValidationError as error:
                self.is_whole = False
                self.faults.append(f"row {number} is left out: {'; '.join(problems_of(error)[:3])}")
                continue
            first = found.setdefault(read, number)
            if first != number:
                self.twice.append(read)
                self.faults.append(
                    f"row {number} ({read.competition_id}) is the same as row {first}, counted once"
                )
        return list(found)

    def _known(self, row: Any, number: int) -> Any:  # noqa: ANN401 - others' JSON
        """Leave out and name keys that no grading report has."""
        if not isinstance(row, dict):
            return row
        extra = sorted(set(row) - set(CompetitionReport.model_fields))
        if extra:
            self.faults.append(f"row {number}: keys not read: {', '.join(extra)[:200]}")
        task = printable(str(row.get("competition_id")))[:100]
        known = {name: value for name, value in row.items() if name not in extra}
        return self._finite(known, f"row {number} ({task})")

    def _finite(self, given: dict[str, Any], place: str) -> dict[str, Any]:
        """Read values that are no numbers as null, name them, and keep the rest."""
        found: dict[str, Any] = {}
        for name, value in given.items():
            if isinstance(value, dict):
                found[name] = self._finite(value, f"{place}, {name}")
            elif isinstance(value, float) and not math.isfinite(value):
                self.faults.append(f"{place}: {name} is {_words(value)}, read as null")
                found[name] = None
            else:
                found[name] = value
        return found

    def report(self, whole: dict[str, Any], rows: list[CompetitionReport]) -> GradingReport:
        """Put header and rows together; totals that the header lacks are those of the rows."""
        totals: dict[str, int] = {}
        for name in TOTALS:
            value = whole.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                if abs(value) > _MOST_COUNTED:
                    self.faults.append(f"its {name} is no number that can be counted, not read")
                    continue
                totals[name] = value
        self.totals = frozenset(totals)
        if missing := [name for name in TOTALS if name not in totals]:
            self.faults.append(f"its header has no {', '.join(missing)}")
        extra = sorted(set(whole) - set(GradingReport.model_fields))
        if extra:
            self.faults.append(f"keys not read: {', '.join(extra)[:200]}")
        return GradingReport.model_validate(
            {**counts(rows), **totals, _ROWS: tuple(rows), "mle_audit": self._details(whole)}
        )

    def _details(self, whole: dict[str, Any]) -> GradingDetails | None:
        if whole.get("mle_audit") is None:
            return None
        try:
            return GradingDetails.model_validate(whole["mle_audit"])
        except ValidationError as error:
            self.faults.append(f"mle_audit is not read: {'; '.join(problems_of(error)[:3])}")
            return None


def _words(value: float) -> str:
    """Write a value that is no number as JSON's readers do."""
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def agent_of(row: CompetitionReport) -> str | None:
    """Return the agent that a row names, if it names one."""
    return row.mle_audit.agent if row.mle_audit else None


def counts(rows: Iterable[CompetitionReport]) -> dict[str, int]:
    """Count rows the way the header of a grading report does."""
    listed = list(rows)
    flags = {
        "total_runs_with_submissions": "submission_exists",
        "total_valid_submissions": "valid_submission",
        "total_medals": "any_medal",
        "total_gold_medals": "gold_medal",
        "total_silver_medals": "silver_medal",
        "total_bronze_medals": "bronze_medal",
        "total_above_median": "above_median",
    }
    totals = {name: sum(bool(getattr(r, f)) for r in listed) for name, f in flags.items()}
    return {"total_runs": len(listed), **totals}
