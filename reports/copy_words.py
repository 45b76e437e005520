"""The words of copies: shares, sources, significance, and how a submission was mixed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reports.words import counted

if TYPE_CHECKING:
    from reports.schema import CopiedPassages, Provenance, SubmissionMix

MAX_URL: Final = 500  # characters of an address that becomes a link
# Nothing but printing ASCII, and no user name that could pass for the host.
_ADDRESS = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]+)?(/[!#-;=?-\[\]_a-z~]*)?")

METHODS: Final = {
    "equal": "has the same values as",
    "affine": "is a scaled and shifted copy of",
    "monotone": "is a monotone transform of",
    "blend": "is a weighted mix of",
    "overridden rows": "is, but for rows that were overridden,",
}
# What stands under a table of copies, in the terminal and in the summary.
LEGEND: Final = (
    "copied: how much of the source the copy holds; of a submission, how much of it the source "
    "makes up. p: how often honest work looks as much alike; q: the share of false alarms to "
    "expect among all findings as sure as this one; –: not known.",
    "Shared text does not say who copied from whom, nor whether it was allowed.",
)
_SMALLEST: Final = 1e-6  # a p below comes from a curve far beyond all that was compared
CHANNELS: Final = {"code": "code", "prose": "prose"}


def percent(share: float) -> str:
    """Write a share as per cent; only the whole is 100, only nothing is 0.

    Examples
    --------
    >>> percent(0.625), percent(0.99999), percent(1.0), percent(0.0001), percent(0)
    ('62.5 %', '99.9 %', '100 %', '< 0.1 %', '0 %')
    """
    if share in {0, 1}:
        return f"{100 * share:.0f} %"
    if abs(share) < 0.001:  # noqa: PLR2004 - what one decimal can say
        return "< 0.1 %"
    return f"{min(100 * share, 99.9) if share < 1 else 100 * share:.1f} %"


def probability(value: float | None) -> str:
    """Write a p- or q-value with two significant digits; a dash when there is none.

    What is smaller than anything that a few hundred comparisons can tell is only bounded.

    Examples
    --------
    >>> probability(0.00123), probability(1e-7), probability(1.0), probability(None)
    ('0.0012', '≤ 1e-06', '1', '–')
    """
    if value is None:
        return "–"
    return f"≤ {_SMALLEST:.2g}" if value <= _SMALLEST else f"{value:.2g}"


def significance(evidence: CopiedPassages | SubmissionMix) -> str:
    """Say how unusual a match is among honest comparisons, or why that cannot be said.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> significance(SimpleNamespace(p=0.0012, q=0.01, n_null=812))
    'p 0.0012, q 0.01, held against 812 honest comparisons'
    >>> significance(SimpleNamespace(p=None, q=None, n_null=0))
    'no p: nothing to hold it against counts as honest; copies of each other do not'
    """
    against = counted(evidence.n_null, "honest comparison")
    if evidence.p is None:
        if not evidence.n_null:
            return "no p: nothing to hold it against counts as honest; copies of each other do not"
        return f"no p: {against} {'is' if evidence.n_null == 1 else 'are'} too few"
    q = f", q {probability(evidence.q)}" if evidence.q is not None else ""
    return f"p {probability(evidence.p)}{q}, held against {against}"


def credit(provenance: Provenance) -> str:
    """Say who made a source, in one line; empty when nothing is known.

    Examples
    --------
    >>> from datetime import date
    >>> from reports.schema import Provenance
    >>> credit(Provenance(title="A start", author="ann", created=date(2017, 3, 5), votes=1))
    '“A start”, by ann, 2017-03-05, 1 vote'
    """
    parts = [
        f"“{provenance.title}”" if provenance.title else "",
        f"by {provenance.author}" if provenance.author else "",
        provenance.created.isoformat() if provenance.created else "",
        counted(provenance.votes, "vote") if provenance.votes is not None else "",
        f"licence {provenance.licence}" if provenance.licence else "",
    ]
    return ", ".join(filter(None, parts))


def is_address(url: str) -> bool:
    """Tell whether an address may become a link: https, plain characters, no user name.

    Examples
    --------
    >>> is_address("https://www.kaggle.com/ann/a-start"), is_address("javascript:alert(1)")
    (True, False)
    >>> is_address("https://kaggle.com@evil.example/"), is_address("https://a.b/" + chr(0x202E))
    (False, False)
    """
    return len(url) <= MAX_URL and _ADDRESS.fullmatch(url) is not None
