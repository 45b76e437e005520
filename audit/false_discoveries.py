"""How many of the p-values of an audit are chance: Benjamini-Hochberg per detector, pure.

An audit of many attempts compares much, and the smallest of many p-values is small by chance.
``q`` is what p becomes when every comparison of the same detector is counted: of the findings with
q at most .05, at most 5 % are expected to be chance.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from reports.schema import CopiedPassages, Outcome, Severity, SharedMarks, SubmissionMix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reports.schema import Check, Evidence, Finding

RATE = 0.05
_LOOKED = frozenset({Outcome.CLEAN, Outcome.FLAGGED})


def adjusted(p_values: Sequence[float], n_compared: int | None = None) -> list[float]:
    """Return the q-value of each p-value: Benjamini and Hochberg's, which keeps their order.

    Parameters
    ----------
    p_values : sequence of float in [0, 1]
        In any order.
    n_compared : int or None
        How many comparisons were made; those beyond `p_values` count with p = 1. None: no more.

    Returns
    -------
    list of float in [0, 1]
        In the order of `p_values`, each at least as large as its p.

    Raises
    ------
    ValueError
        When fewer comparisons were made than there are p-values.

    References
    ----------
    Benjamini and Hochberg (1995), https://doi.org/10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> adjusted([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.03]
    >>> adjusted([0.01], n_compared=100)
    [1.0]
    """
    n = len(p_values) if n_compared is None else n_compared
    if n < len(p_values):
        raise ValueError(f"expected at least {len(p_values)} comparisons, found {n}")
    falling = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    ranks = range(len(p_values), 0, -1)
    scaled = (p_values[i] * (n / rank) for i, rank in zip(falling, ranks, strict=True))
    lowest = accumulate(scaled, min, initial=1.0)
    next(lowest)  # the initial 1 alone
    by_place = dict(zip(falling, lowest, strict=True))
    return [max(p, by_place[i]) for i, p in enumerate(p_values)]  # p * (n / n) may round below p


def control(
    checks: Iterable[Check],
    rate: float = RATE,
    comparisons: Mapping[str, int] | None = None,
) -> list[Check]:
    """Fill the q-values of an audit's evidence; findings that chance explains become notes.

    Every check that looked counts as one comparison at least: a clean one, and one whose finding
    has no p, with p = 1. The ids of findings stay as they are.

    Parameters
    ----------
    checks : iterable of Check
        All of one audit; each detector's are adjusted by themselves.
    rate : float in (0, 1), default=.05
        Above this q a finding becomes a note and its message says so, unless it rests on something
        without a p besides: marks of origin, or passages with nothing to hold their p against.
    comparisons : mapping of str to int, or None
        How many comparisons one check of a subject stands for, by the subject's id, such as the
        pairs of a group; 1 where it is not named.

    Returns
    -------
    list of Check
        In the same order. A check that is left with nothing but notes is clean.
    """
    all_checks = list(checks)
    by_detector: dict[str, list[float]] = {}
    for one in all_checks:
        at_least = (comparisons or {}).get(one.subject, 1)
        by_detector.setdefault(one.detector, []).extend(_comparisons(one, at_least))
    q_of = {
        name: dict(zip(p_values, adjusted(p_values), strict=True))
        for name, p_values in by_detector.items()
    }
    return [
        _controlled(one, q_of[one.detector], len(by_detector[one.detector]), rate)
        for one in all_checks
    ]


def _comparisons(check: Check, at_least: int) -> list[float]:
    """List the p-values of a check; those that left no finding were comparisons all the same."""
    found = [p for f in check.findings for e in f.evidence if (p := _p_of(e)) is not None]
    clean = at_least - len(found) if check.outcome in _LOOKED else 0
    return [*found, *[1.0] * clean]


def _p_of(evidence: Evidence) -> float | None:
    return evidence.p if isinstance(evidence, CopiedPassages | SubmissionMix) else None


def _controlled(check: Check, q_of: dict[float, float], n_compared: int, rate: float) -> Check:
    findings = tuple(_judged(f, q_of, n_compared, rate) for f in check.findings)
    if findings == check.findings:
        return check
    outcome = check.outcome
    if outcome is Outcome.FLAGGED and all(f.severity is Severity.NOTE for f in findings):
        outcome = Outcome.CLEAN
    return check.model_copy(update={"findings": findings, "outcome": outcome})


def _judged(finding: Finding, q_of: dict[float, float], n_compared: int, rate: float) -> Finding:
    """Fill q into one finding, and make it a note where chance explains all it rests on."""
    evidence = tuple(_with_q(e, q_of) for e in finding.evidence)
    if evidence == finding.evidence:
        return finding
    update: dict[str, object] = {"evidence": evidence}
    lowest = min(_rests_on(evidence), default=0.0)
    if lowest > rate and finding.severity > Severity.NOTE:
        update["severity"] = Severity.NOTE
        update["message"] = (
            f"{finding.message} Among the {n_compared:,} comparisons of this audit one as close "
            f"is to be expected by chance (q = {lowest:.2g}, above {rate:g}), so this is a note."
        )
    return finding.model_copy(update=update)


def _with_q(evidence: Evidence, q_of: dict[float, float]) -> Evidence:
    if isinstance(evidence, CopiedPassages | SubmissionMix) and evidence.p is not None:
        return evidence.model_copy(update={"q": q_of[evidence.p]})
    return evidence


def _rests_on(evidence: Iterable[Evidence]) -> Iterator[float]:
    """Yield the q of all that speaks for a copy; what stands without one counts with 0."""
    for one in evidence:
        if isinstance(one, SharedMarks):
            yield 0.0
        elif isinstance(one, CopiedPassages | SubmissionMix):
            yield 0.0 if one.q is None else one.q
