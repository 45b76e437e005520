"""What the four detectors have in common that ask what was worked out before rows were held out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.leakage.code_faults import early
from detectors.leakage.code_reading import gap_of, programs_of
from reports.schema import Confidence, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import About, Subject
    from detectors.leakage.code_faults import Early
    from detectors.leakage.code_reading import Program
    from detectors.leakage.code_values import Kind
    from reports.schema import CodeLines, Finding

MAX_NAMED = 4


def findings_before(
    about: About, subject: Subject, kind: Kind, severity: Severity, max_evidence: int
) -> Iterator[Finding]:
    """Yield one finding about what of a kind was worked out of rows that were held out later.

    Raises
    ------
    EvidenceUnavailableError
        After the finding, when code was too long to be followed to its end.
    """
    read = programs_of(subject)
    found = [(p, one) for p in read for one in early(p.story) if one.kind is kind]
    if found:
        is_inner = all(one.is_within_train for _, one in found)
        proofs = dict.fromkeys(line for p, one in found for line in lines_before(p, one))
        yield about.finding(
            subject,
            _message([one for _, one in found], is_inner=is_inner),
            *list(proofs)[:max_evidence],
            severity=min(severity, Severity.MEDIUM) if is_inner else severity,
            confidence=Confidence.MEDIUM,
        )
    gap = gap_of(read)
    if gap is not None:
        raise gap


def lines_before(program: Program, one: Early) -> Iterator[CodeLines]:
    """Yield the lines that show it: where it is worked out, then the split, then the score."""
    yield program.lines(one.mark.place, f"{one.kind.value}, worked out of all rows")
    if one.split is not None:
        yield program.lines(one.split, "rows are split only here")
    if one.trained == one.scored:
        yield program.lines(one.trained, "trains and scores on parts of those rows")
        return
    yield program.lines(one.trained, "trains on one part of them")
    yield program.lines(one.scored, "predicts or scores the other part")


def _message(found: list[Early], *, is_inner: bool) -> str:
    names = list(dict.fromkeys(one.mark.name for one in found))
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    where = "the folds of the train half are" if is_inner else "rows for validation are"
    places = len({one.mark.place for one in found})
    return (
        f"{', '.join(names[:MAX_NAMED])}{more}: worked out of all rows before {where} held out"
        f" ({places} {'place' if places == 1 else 'places'} in the code)."
    )
