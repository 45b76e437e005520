"""How likely two authors write the same run of tokens without knowing of each other.

Lists of columns, tables of settings, stacks of layers and rows of plots are written from a handful
of forms, so two of them share most of their runs whoever wrote them. How much choice a text leaves
is told by the text itself: how well each token can be foreseen from the three before it, by what
the rest of the same text has there. A run whose tokens could all be foreseen proves nothing.

References
----------
.. [1] P. Clough, M. Stevenson, "Developing a corpus of plagiarised short answers", Language
   Resources and Evaluation 45, 2011 (overlap that is due to chance).
.. [2] A. Hindle et al., "On the naturalness of software", ICSE 2012 (n-gram models of code).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.fingerprints import RUN

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ORDER = 3  # tokens from which the next one is foreseen
_CAUTION = 4.0  # times as often as foreseen: what agents and tutorials have in common is no text's
_MOST_TOKENS = 1 << 14  # of a text: a copy must not be hidden by much else beside it


def surprise(kinds: NDArray[np.uint32], run: int = RUN) -> NDArray[np.float64]:
    """Say how many bits each run of a text tells that the rest of the text does not.

    Parameters
    ----------
    kinds : ndarray of uint32, shape (n,)
        See `lexer.Tokens`.

    Returns
    -------
    ndarray of float, shape (max(0, n - run + 1),)

    Notes
    -----
    Each token counts as foreseen with the share of the other places with the same three tokens
    before it where it stands, drawn to what two, one and no tokens before it foresee.

    Examples
    --------
    >>> listed = np.tile(np.arange(4, dtype=np.uint32), 50)
    >>> drawn = np.random.default_rng(0).integers(0, 9, 200).astype(np.uint32)
    >>> bool(surprise(listed).max() < 3), bool(surprise(drawn).min() > 30)
    (True, True)
    """
    n = len(kinds)
    if n < run:
        return np.empty(0)
    _, tokens = np.unique(kinds, return_inverse=True)
    n_kinds = int(tokens.max()) + 1
    odds = (_times(tokens) - 1 + 1 / n_kinds) / n
    before = np.zeros(n, np.int64)  # number of the row of tokens that stands before each
    for order in range(1, _ORDER + 1):
        longer = before[order:] * n_kinds + tokens[:-order]
        before[order:] = np.unique(longer, return_inverse=True)[1]
        same = _times(before[order:] * n_kinds + tokens[order:]) - 1
        odds[order:] = (same + odds[order:]) / _times(before[order:])
    bits = np.concatenate([[0.0], np.cumsum(-np.log2(odds))])
    told: NDArray[np.float64] = bits[run:] - bits[:-run]
    return told


def by_chance(bits: NDArray[np.float64], n_tokens: int) -> NDArray[np.float64]:
    """Say how likely runs of so many bits stand somewhere in a text of other origin.

    Parameters
    ----------
    n_tokens : int
        Tokens of that text.

    Returns
    -------
    ndarray of float, values in [0, 1]
    """
    expected = _CAUTION * min(n_tokens, _MOST_TOKENS) * np.exp2(-bits)
    odds: NDArray[np.float64] = -np.expm1(-expected)
    return odds


def _times(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how often the value at each place stands in the row."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    times: NDArray[np.int64] = counts[which]
    return times
