"""How many of the p-values of an audit are chance: Benjamini-Hochberg per detector, pure.

An audit of many attempts compares much, and the smallest of many p-values is small by chance.
``q`` is what p becomes when every comparison of the same detector is counted: of the findings with
q at most .05, at most 5 % are expected to be chance.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from reports.copy_words import percent
from reports.schema import CopiedPassages, Outcome, Severity, SharedMarks, SubmissionMix
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reports.schema import Check, Evidence, Finding

RATE = 0.05
_LOOKED = frozenset({Outcome.CLEAN, Outcome.FLAGGED})


def adjusted(p_values: Sequence[float], comparisons: Sequence[float] | None = None) -> list[float]:
    """Return the q-value of each p-value: Benjamini and Hochberg's, which keeps their order.

    Parameters
    ----------
    p_values : sequence of float in [0, 1]
        In any order.
    comparisons : sequence of float in [0, 1], or None
        The p of every comparison that was made, 1 for what showed nothing. None: `p_values` are
        all. A p that is none of them gets the q that it would have in the place of the next
        smaller one.

    Returns
    -------
    list of float in [0, 1]
        In the order of `p_values`, each at least as large as its p.

    References
    ----------
    Benjamini and Hochberg (1995), https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> adjusted([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.03]
    >>> adjusted([0.01], [0.01, *[1.0] * 99])
    [1.0]
    """
    made = sorted(p_values if comparisons is None else comparisons)
    ranks = [bisect_right(made, p) for p in made]
    scaled = [p * (len(made) / rank) for p, rank in zip(made, ranks, strict=True)]
    lowest = list(accumulate(reversed(scaled), min))[::-1]  # from each place on
    found = []
    for p in p_values:
        place = bisect_left(made, p)
        own = p * (len(made) / max(1, bisect_right(made, p)))
        found.append(min(1.0, max(p, min([own, *lowest[place : place + 1]]))))
    return found


def control(
    checks: Iterable[Check],
    rate: float = RATE,
    comparisons: Mapping[str, int] | None = None,
) -> list[Check]:
    """Fill the q-values of an audit's evidence; findings that chance explains become notes.

    Every check that looked is one comparison, with the smallest p of all its findings, or 1: how
    many pieces a copy is shown in makes it no surer. The ids of findings stay as they are.

    Parameters
    ----------
    checks : iterable of Check
        All of one audit; each detector's are adjusted by themselves.
    rate : float in (0, 1), default=.05
        Above this q a finding becomes a note and its message says so, unless it rests on something
        without a p besides: marks of origin, or passages with nothing to hold their p against.
    comparisons : mapping of str to int, or None
        How many comparisons the check of a group stands for, by the subject's id; each finding is
        one of them then.

    Returns
    -------
    list of Check
        In the same order. A check that is left with nothing but notes is clean.
    """
    all_checks = list(checks)
    by_detector: dict[str, list[float]] = {}
    for one in all_checks:
        n_made = (comparisons or {}).get(one.subject)
        by_detector.setdefault(one.detector, []).extend(_comparisons(one, n_made))
    return [_controlled(one, by_detector[one.detector], rate) for one in all_checks]


def _comparisons(check: Check, n_made: int | None) -> list[float]:
    """List the p of each comparison of a check; those that left no finding were made, too."""
    of_each = [min(found) for f in check.findings if (found := [*_p_values(f)])]
    if n_made is None:
        return [min(of_each)] if of_each else [1.0] if check.outcome in _LOOKED else []
    clean = n_made - len(of_each) if check.outcome in _LOOKED or of_each else 0
    return [*of_each, *[1.0] * clean]


def _p_values(finding: Finding) -> Iterator[float]:
    yield from (p for e in finding.evidence if (p := _p_of(e)) is not None)


def _p_of(evidence: Evidence) -> float | None:
    return evidence.p if isinstance(evidence, CopiedPassages | SubmissionMix) else None


def _controlled(check: Check, made: Sequence[float], rate: float) -> Check:
    findings = tuple(_judged(f, made, rate) for f in check.findings)
    if findings == check.findings:
        return check
    outcome = check.outcome
    if outcome is Outcome.FLAGGED and all(f.severity is Severity.NOTE for f in findings):
        outcome = Outcome.CLEAN
    return check.model_copy(update={"findings": findings, "outcome": outcome})


def _judged(finding: Finding, made: Sequence[float], rate: float) -> Finding:
    """Fill q into one finding, and make it a note where chance explains all it rests on."""
    evidence = tuple(_with_q(e, made) for e in finding.evidence)
    if evidence == finding.evidence:
        return finding
    update: dict[str, object] = {"evidence": evidence}
    lowest = min(_rests_on(evidence), default=0.0)
    if lowest > rate and finding.severity > Severity.NOTE:
        update["severity"] = Severity.NOTE
        update["message"] = (
            f"{finding.message} With {counted(len(made), 'comparison')} in this audit, "
            f"{percent(lowest)} of all findings as sure as this one are expected to be chance "
            f"(q = {lowest:.2g}, above {rate:g}), so this is a note."
        )
    return finding.model_copy(update=update)


def _with_q(evidence: Evidence, made: Sequence[float]) -> Evidence:
    if isinstance(evidence, CopiedPassages | SubmissionMix) and evidence.p is not None:
        return evidence.model_copy(update={"q": adjusted([evidence.p], made)[0]})
    return evidence


def _rests_on(evidence: Iterable[Evidence]) -> Iterator[float]:
    """Yield the q of all that speaks for a copy; what stands without one counts with 0."""
    for one in evidence:
        if isinstance(one, SharedMarks):
            yield 0.0
        elif isinstance(one, CopiedPassages | SubmissionMix):
            yield 0.0 if one.q is None else one.q
