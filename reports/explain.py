"""One finding in plain text, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UnknownNameError, UsageError
from competitions.io import printable
from reports import explain_copies, words
from reports.places import where
from reports.schema import (
    CodeLines,
    CopiedPassages,
    FileDigest,
    LogLines,
    PicturePair,
    Quantity,
    RowOverlap,
    SharedMarks,
    SubmissionMix,
    TextPair,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from reports.schema import AuditReport, Evidence, Finding


_MAX_SHOWN = 20
_INDENT = 4  # columns before each line of a proof


def findings_named(
    report: AuditReport, name: str, document: Path | str = "audit.json"
) -> tuple[Finding, ...]:
    """Return the finding with this id, or all findings about the subject with this id.

    A finding about a group is also about the attempts that it names.

    Parameters
    ----------
    name : str
        The id of a finding, an attempt, a group or a task, or a beginning that only one of them
        has; a task's ``task:`` may be left out.
    document : Path or str
        Where the report was read, for the command that lists its findings.

    Raises
    ------
    UnknownNameError
        When the document holds none.
    UsageError
        When several ids begin so.
    """
    known = {f.id for f in report.findings} | {s.id for s in report.subjects}
    known |= {v.subject for v in report.verdicts}
    chosen = _meant(name, known, f"List findings with: mle-audit list findings -d {document}")
    return tuple(f for f in report.findings if chosen in {f.id, f.subject, *f.attempts})


def _meant(name: str, known: set[str], remedy: str) -> str:
    """Return the id that is called or begins so."""
    if name in known:
        return name
    begun = sorted(i for i in known if name and i.removeprefix("task:").startswith(name))
    begun += sorted(i for i in known if name and i not in begun and i.startswith(name))
    if len(begun) == 1:
        return begun[0]
    if not begun:
        raise UnknownNameError("finding", name, known, remedy)
    rest = len(begun) - _MAX_SHOWN
    more = f"\n    and {rest} more" if rest > 0 else ""
    listed = "".join(f"\n    {printable(i)}" for i in begun[:_MAX_SHOWN])
    raise UsageError(
        f"{len(begun)} ids begin with {name!r}:{listed}{more}", f"Give more of the id. {remedy}"
    )


def explain_findings(report: AuditReport, findings: Sequence[Finding], width: int = 80) -> str:
    """Say what was seen, how grave and how sure it is, and show each piece of evidence.

    Parameters
    ----------
    width : int
        Columns of the terminal: two texts stand side by side where there is room.
    """
    if not findings:
        return "No detector found anything here. What was not checked stands in the report."
    notes = {n.id: n for n in report.detectors}
    blocks = []
    for finding in findings:
        note = notes.get(finding.detector)
        lines = [
            f"{finding.id}: {printable(finding.message)}",
            f"  about: {printable(finding.subject)}",
            *(f"  concerns: {printable(attempt)}" for attempt in finding.attempts),
            f"  severity {finding.severity}, confidence {finding.confidence}",
        ]
        if suppression := report.suppression_of(finding.id):
            lines.append(f"  counts in no verdict: {printable(words.struck_out(suppression))}")
        appeals = map(words.appealed, report.appeals_of(finding.id))
        lines += [f"  appeal: {printable(' '.join(said.split()))}" for said in appeals]
        if note:
            lines += [f"  the question: {note.asks}", f"  cannot see: {note.blind_spots}"]
        for number, evidence in enumerate(finding.evidence, start=1):
            lines += [f"  proof {number}:", *_indented(evidence, width)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _indented(evidence: Evidence, width: int) -> Iterable[str]:
    """Show one piece of evidence, line by line, below its heading."""
    match evidence:
        case CopiedPassages():
            lines = explain_copies.copied(evidence, width - _INDENT)
        case SubmissionMix():
            lines = explain_copies.mixed(evidence)
        case SharedMarks():
            lines = explain_copies.marked(evidence)
        case PicturePair() | TextPair():
            lines = _alike(evidence)
        case _:
            lines = _evidence(evidence)
    return (f"{'':{_INDENT}}{line}" for line in lines)


def _evidence(evidence: LogLines | CodeLines | RowOverlap | Quantity | FileDigest) -> Iterator[str]:
    """Show one piece of evidence, line by line."""
    if isinstance(evidence, LogLines | CodeLines):
        yield f"{printable(evidence.path)}, line {evidence.first_line}: {printable(evidence.shows)}"
        for number, line in enumerate(evidence.excerpt.splitlines(), start=evidence.first_line):
            yield f"{number:>6} | {printable(line)}"
        if isinstance(evidence, LogLines) and evidence.output is not None:
            yield "what came back:"
            yield from (f"       | {printable(line)}" for line in evidence.output.splitlines())
    elif isinstance(evidence, RowOverlap):
        yield from _overlap(evidence)
    elif isinstance(evidence, Quantity):
        against = f", against {evidence.reference}" if evidence.reference is not None else ""
        yield f"{evidence.name}: {evidence.value} {evidence.unit or ''}{against}".rstrip()
    else:
        yield f"{printable(evidence.path)} sha256 {evidence.sha256}: {printable(evidence.shows)}"


def _overlap(evidence: RowOverlap) -> Iterator[str]:
    """Show the first pairs of rows that are equal or alike."""
    is_equal = evidence.likeness == "equal"
    yield (
        f"{evidence.n_shared} of {evidence.n_right} rows of {printable(evidence.right_table)} "
        f"{'also stand' if is_equal else 'have their like'} in {printable(evidence.left_table)}"
    )
    if evidence.rule is not None:
        yield f"alike: {printable(evidence.rule)}"
    for pair in evidence.pairs:
        keys = f" ({pair.right_key} and {pair.left_key})" if pair.right_key is not None else ""
        score = f", score {pair.score:.4g}" if pair.score is not None else ""
        differs = f", differs in {', '.join(pair.differs_in)}" if pair.differs_in else ""
        word = "equals" if is_equal else "is like"
        said = f"  row {pair.right_row} {word} row {pair.left_row}{keys}{score}{differs}"
        yield printable(said)
    if (more := evidence.n_shared - len(evidence.pairs)) > 0:
        yield f"  and {more} more"
    if evidence.answers_agree is not None:
        yield f"same answer: {evidence.answers_agree}"


def _alike(evidence: PicturePair | TextPair) -> Iterator[str]:
    """Show two pictures by their names, or two texts."""
    against = f", against {evidence.bound:.4f}" if evidence.bound is not None else ""
    yield f"{printable(where(evidence))}: {printable(evidence.shows)}"
    yield f"likeness: {evidence.likeness:.4f}{against}"
    if isinstance(evidence, TextPair):
        for side in (evidence.left_text, evidence.right_text or evidence.private_text or ""):
            yield from (f"       | {printable(line)}" for line in side.splitlines() or [""])
