"""What a text is compared by: hashes of every run of 16 tokens, one in four of them kept.

Which ones are kept depends on the hash alone, so two texts keep the same ones of what they share.
Comparing by a sample of 1/4 costs nothing in accuracy and a quarter of the index.

References
----------
.. [1] N. Heintze, "Scalable Document Fingerprinting", USENIX Workshop on Electronic Commerce, 1996.
.. [2] S. Schleimer et al., "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.lexer import LEXER_VERSION, Tokens, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RUN = 16  # tokens in a row; a power of two
RATE = 4  # one in so many hashes is kept
_BASE = 0x9E3779B97F4A7C15  # odd: multiplication by it loses nothing
_MASK = (1 << 64) - 1

# An index remembers this; another scheme cannot read it.
SCHEME = {
    "run": RUN,
    "rate": RATE,
    "lexer": LEXER_VERSION,
    "hash": "polynomial mod 2^64 over crc32 of kinds, splitmix64",
}


class Fingerprint(NamedTuple):
    """A text's runs of tokens.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (n,)
        One for each run, in the order of the text; n is 0 for a text of fewer than 16 tokens.
    tokens : Tokens
        Run ``i`` holds tokens ``i`` to ``i + 15``.
    """

    hashes: NDArray[np.uint64]
    tokens: Tokens

    @property
    def kept(self) -> NDArray[np.uint64]:
        """The different hashes that an index holds, sorted."""
        return kept(self.hashes)


def fingerprint(text: str, language: str = "python") -> Fingerprint:
    """Hash every run of tokens of a text."""
    found = tokens(text, language)
    return Fingerprint(run_hashes(found.kinds), found)


def run_hashes(
    kinds: NDArray[np.uint32] | NDArray[np.uint64], run: int = RUN
) -> NDArray[np.uint64]:
    """Hash every run of `run` values; `run` is a power of two.

    Returns
    -------
    ndarray of uint64, shape (max(0, n - run + 1),)
    """
    if len(kinds) < run:
        return np.empty(0, np.uint64)
    hashes = mixed(kinds.astype(np.uint64))
    width, factor = 1, _BASE
    while width < run:  # a run of 2w values from two of w that lie side by side
        hashes = hashes[:-width] * np.uint64(factor) + hashes[width:]
        width, factor = 2 * width, factor * factor & _MASK
    return mixed(hashes)


def text_hash(text: str) -> np.uint64:
    """Hash a string, the same on every machine."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread the bits of 64-bit values, as splitmix64 does; a bijection."""
    x = values + np.uint64(_BASE)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def kept(hashes: NDArray[np.uint64], rate: int = RATE) -> NDArray[np.uint64]:
    """Return the different hashes that an index holds of a text, sorted."""
    found = np.sort(hashes[hashes % np.uint64(rate) == 0])
    new = np.ones(len(found), bool)  # what `np.unique` does, which takes longer for a few hundred
    np.not_equal(found[1:], found[:-1], out=new[1:])
    return found[new]


def union(of_each: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return the different hashes of several sets, sorted."""
    return np.unique(np.concatenate(of_each)) if of_each else np.empty(0, np.uint64)
