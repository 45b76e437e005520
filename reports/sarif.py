"""An audit as SARIF 2.1.0: a result for each finding, at the lines of its evidence.

SARIF is the OASIS Static Analysis Results Interchange Format, which code hosts and editors show
beside the code: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from reports.copy_words import is_address
from reports.places import where
from reports.schema import (
    CodeLines,
    CopiedPassages,
    FileDigest,
    LogLines,
    Outcome,
    PicturePair,
    RowOverlap,
    Severity,
    SharedMarks,
    SubmissionMix,
    TextPair,
)
from reports.words import SEVERITIES, appealed, clip, struck_out, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reports.schema import AuditReport, Check, DetectorNote, Evidence, Finding, Subject

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
DOCUMENT: Final = "audit.json"  # where findings without a file of their own are looked up
MAX_RESULTS: Final = 25_000  # GitHub takes no more in one run
MAX_RELATED: Final = 50  # locations beside the first one
MAX_TEXT: Final = 1000  # characters of a message
MAX_SNIPPET: Final = 4000  # characters of an excerpt
LEVELS: Final = {
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.NOTE: "none",  # SARIF's level of results that are no failure
}
_UNANSWERED: Final = {Outcome.FAILED: "error", Outcome.NOT_AVAILABLE: "warning"}

Json = dict[str, Any]


class _Place(NamedTuple):
    """Where a piece of evidence lies: a file within its subject, and lines where it has some."""

    path: str
    first: int | None = None
    last: int | None = None
    excerpt: str = ""


def render_sarif(report: AuditReport) -> str:
    """Render an audit as a SARIF log with one run.

    Parameters
    ----------
    report : AuditReport
        The document; nothing else is read.

    Returns
    -------
    str
        JSON. Rules are detectors, fingerprints are the ids of findings, and what could not be
        looked at is a notification. Paths are relative to where the audit was made.
    """
    run = _Run(report)
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run.made()]}
    return json.dumps(log, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


class _Run:
    """One run of the tool, put together for the log."""

    def __init__(self, report: AuditReport) -> None:
        self.report = report
        self.subjects = {s.id: s for s in report.subjects}
        notes = {n.id: n for n in report.detectors}
        named = [c.detector for c in report.checks]
        self.rules: Mapping[str, DetectorNote | None] = {
            name: notes.get(name) for name in dict.fromkeys([*notes, *named])
        }
        self.index = {name: i for i, name in enumerate(self.rules)}

    def made(self) -> Json:
        """Return the run."""
        gravest = sorted(
            self.report.findings, key=lambda f: (f.severity.rank, f.confidence.rank), reverse=True
        )
        driver = {
            "name": "mle-audit",
            "version": visible(self.report.tool_version),
            "rules": [_rule(name, note) for name, note in self.rules.items()],
        }
        return {
            "tool": {"driver": driver},
            "automationDetails": {"id": "mle-audit/"},
            "columnKind": "unicodeCodePoints",
            "invocations": [self._invocation(len(gravest) - MAX_RESULTS)],
            "results": [self._result(f) for f in gravest[:MAX_RESULTS]],
            "properties": {"policy": visible(self.report.policy), "verdicts": self._verdicts()},
        }

    def _verdicts(self) -> dict[str, int]:
        found = [v.conclusion.value for v in self.report.verdicts]
        return {name: found.count(name) for name in dict.fromkeys(found)}

    def _invocation(self, n_left_out: int) -> Json:
        """Say how the audit went: what crashed, and what nobody could look at."""
        told = [self._unanswered(c) for c in self.report.checks if c.outcome in _UNANSWERED]
        told += [
            {"level": "note", "message": _message(f"Not looked at: {n.what}. {n.why}")}
            for n in self.report.not_checked
        ]
        if n_left_out > 0:
            words = f"{n_left_out} milder findings are in the audit document alone."
            told.append({"level": "warning", "message": _message(words)})
        ended = self.report.created_at.astimezone(UTC)
        return {
            "executionSuccessful": all(c.outcome is not Outcome.FAILED for c in self.report.checks),
            "endTimeUtc": ended.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "toolExecutionNotifications": told,
        }

    def _unanswered(self, check: Check) -> Json:
        reason = check.reason or "No reason was given."
        about = f"{check.detector} gave no answer on {self._title(check.subject)}: {reason}"
        return {
            "level": _UNANSWERED[check.outcome],
            "message": _message(about),
            "associatedRule": {"id": check.detector, "index": self.index[check.detector]},
        }

    def _title(self, subject: str) -> str:
        found = self.subjects.get(subject)
        return found.title if found else subject

    def _result(self, finding: Finding) -> Json:
        first, *others = self._locations(finding)
        note = finding.severity is Severity.NOTE
        weight = f"Severity {finding.severity.value}, confidence {finding.confidence.value}"
        text = f"{finding.message.rstrip('. ')}. {weight}; {self._title(finding.subject)}."
        result: Json = {
            "ruleId": finding.detector,
            "ruleIndex": self.index[finding.detector],
            "kind": "informational" if note else "fail",
            "level": LEVELS[finding.severity],
            "message": _message(text),
            "locations": [first],
            # GitHub knows a result again by the second; it would take the line's own text for it.
            "partialFingerprints": {
                "auditFinding/v1": finding.id,
                "primaryLocationLineHash": f"{finding.id.rpartition('-')[2]}:1",
            },
            "properties": {
                "finding": finding.id,
                "subject": finding.subject,
                "severity": finding.severity.value,
                "confidence": finding.confidence.value,
                "attempts": list(finding.attempts),
                "evidence": [visible(clip(where(e), MAX_TEXT)) for e in finding.evidence],
            },
        }
        if suppression := self.report.suppression_of(finding.id):
            result["suppressions"] = [
                {
                    "kind": "external",
                    "status": "accepted",
                    "justification": visible(clip(struck_out(suppression), MAX_TEXT)),
                }
            ]
        if appeals := self.report.appeals_of(finding.id):
            told = [visible(clip(appealed(a), MAX_TEXT)) for a in appeals]
            result["properties"]["appeals"] = told
        if others:
            numbered = enumerate(others[:MAX_RELATED], start=1)
            result["relatedLocations"] = [{"id": i, **place} for i, place in numbered]
        return result

    def _locations(self, finding: Finding) -> list[Json]:
        """Give the places of a finding: lines of code first, then other lines, then files."""
        found = [(e, place) for e in finding.evidence for place in _places(e)]
        found.sort(key=lambda one: (not isinstance(one[0], CodeLines), one[1].first is None))
        about = _logical(finding.subject, self.subjects.get(finding.subject))
        if not found:
            where_told = {"artifactLocation": {"uri": DOCUMENT}, "region": {"startLine": 1}}
            return [{"physicalLocation": where_told, "logicalLocations": [about]}]
        return [
            {
                "physicalLocation": self._physical(finding, place),
                "logicalLocations": [about],
                "message": _message(getattr(evidence, "shows", "") or where(evidence)),
            }
            for evidence, place in found
        ]

    def _physical(self, finding: Finding, place: _Place) -> Json:
        """Name a file as seen from where the audit was made, and its lines."""
        subject, path = self.subjects.get(finding.subject), place.path
        attempt, slash, inside = path.partition("/")
        if slash and attempt in finding.attempts and attempt in self.subjects:
            subject, path = self.subjects[attempt], inside  # evidence about a group
        folder = subject.path if subject and subject.path else ""
        if subject and subject.agent is None and folder.rpartition("/")[2] == path:
            folder = folder.removesuffix(path)  # a file of nobody's attempt, and not its folder
        region: Json = {"startLine": place.first or 1}
        if place.last:
            region["endLine"] = place.last
        if place.excerpt:
            region["snippet"] = {"text": visible(clip(place.excerpt, MAX_SNIPPET))}
        return {"artifactLocation": {"uri": uri(folder, path)}, "region": region}


def uri(folder: str, path: str) -> str:
    """Return the address of a file: relative where its folder is, ``file://`` where it is not.

    Examples
    --------
    >>> uri("runs/g/a b", "code/x.py"), uri("/data/runs", "run.log")
    ('runs/g/a%20b/code/x.py', 'file:///data/runs/run.log')
    """
    whole = f"{folder.rstrip('/')}/{path}" if folder else path
    address = quote(whole.removeprefix("./"), safe="/", errors="replace")
    return f"file://{address}" if address.startswith("/") else address


def _places(evidence: Evidence) -> Iterable[_Place]:
    """Give the files of a piece of evidence that lie in its subject, with their lines."""
    match evidence:
        case LogLines() | CodeLines():
            yield _Place(evidence.path, evidence.first_line, evidence.last_line, evidence.excerpt)
        case CopiedPassages():
            found = [_Place(evidence.path, p.left_first, p.left_last) for p in evidence.passages]
            yield from found or [_Place(evidence.path)]
        case SharedMarks():
            lines = [m.first_line for m in evidence.marks if m.first_line]
            yield _Place(evidence.path, *((lines[0], lines[0]) if lines else ()))
        case FileDigest() | SubmissionMix():
            yield _Place(evidence.path)
        case RowOverlap():
            yield from map(_Place, (evidence.left_table, evidence.right_table))
        case PicturePair() | TextPair():
            yield from map(_Place, (evidence.left, evidence.right))
        case _:
            return  # a number stands in the message


def _logical(name: str, subject: Subject | None) -> Json:
    kind = {"kind": subject.kind.value} if subject else {}
    title = visible(clip(subject.title if subject else name, MAX_TEXT))
    return {"name": title, "fullyQualifiedName": visible(name), **kind}


def _rule(name: str, note: DetectorNote | None) -> Json:
    """Describe a detector."""
    if note is None:
        return {"id": name}
    blind = f"Cannot see: {note.blind_spots}"
    weights = "; ".join(f"{s.value}: {words}" for s, words in SEVERITIES.items())
    help_uri = {"helpUri": note.reference} if is_address(note.reference) else {}
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": _message(note.asks),
        "fullDescription": _message(f"{note.asks} {blind}"),
        "help": _message(
            f"{note.asks}\n\n{blind}\n\nA finding says what was seen, not that somebody cheated. "
            f"Severity says how much it matters if it is so ({weights})."
        ),
        **help_uri,
        "properties": {"tags": [note.family, note.subject.value]},
    }


def _message(text: str) -> Json:
    """Make a plain message: SARIF takes braces for placeholders, and ``](`` for a link."""
    safe = visible(clip(text, MAX_TEXT)).replace("{", "{{").replace("}", "}}")
    return {"text": safe.replace("](", "] (") or "–"}
