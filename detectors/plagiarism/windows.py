"""Candidates by MinHash and LSH over windows: another way than the index, kept in memory or Redis.

Whole files make poor sets: a fifth of a solution inside other code has a small Jaccard index with
it. Windows of 60 runs do not know what lies around them. The index is as good and faster; this is
for whoever keeps the signatures of many machines in one Redis.

References
----------
.. [1] A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997.
.. [2] datasketch, MinHash LSH, https://ekzhu.com/datasketch/lsh.html
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from competitions.errors import EvidenceUnavailableError, UsageError
from detectors.plagiarism.fingerprints import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from detectors.plagiarism.corpus.index import Corpus

WINDOW, STEP = 60, 30  # runs of a window, and between the beginnings of two
PERMUTATIONS = 64
THRESHOLD = 0.3  # Jaccard index of two windows
SCHEME, SEED = "affine64", 1  # datasketch 2 has other permutations than 1: never left to a default
_PORT = 6379


class WindowedLSH:
    """Windows of documents, found by the likeness of their sets of runs.

    Parameters
    ----------
    storage : str
        Empty keeps them in memory; ``redis://HOST:PORT`` in Redis, which must run already.
    name : str
        What is kept under this name in Redis is used again.

    Raises
    ------
    UsageError
        When the storage is no address of Redis.
    EvidenceUnavailableError
        When Redis, or its client, is not there.
    """

    def __init__(self, storage: str = "", name: str = "") -> None:
        from datasketch import MinHash, MinHashLSH

        self._empty = MinHash(PERMUTATIONS, SEED, hashfunc=int, scheme=SCHEME)
        settings = {"threshold": THRESHOLD, "num_perm": PERMUTATIONS}
        if not storage:
            self._windows = MinHashLSH(**settings)
            return
        config = _redis(storage, f"mle-audit {name} {SCHEME} {SEED} {WINDOW} {STEP}")
        try:
            self._windows = MinHashLSH(**settings, storage_config=config)
            self.is_empty = self._windows.is_empty()
        except ImportError as error:
            raise EvidenceUnavailableError(
                "engine",
                "Redis was asked for and its client is not installed.",
                "pip install redis",
            ) from error
        except OSError as error:  # redis' own errors of connection are none of Python's
            raise EvidenceUnavailableError("engine", f"{storage}: {error}.") from error
        except Exception as error:
            if type(error).__module__.startswith("redis"):
                raise EvidenceUnavailableError("engine", f"{storage}: {error}") from error
            raise

    is_empty = True

    def add(self, document: int, hashes: NDArray[np.uint64]) -> None:
        """Add a document by the hashes of all its runs, in the order of the text."""
        with self._windows.insertion_session() as session:
            for number, signature in enumerate(self._signatures(hashes)):
                session.insert(f"{document}:{number}", signature, check_duplication=False)

    def candidates(self, hashes: NDArray[np.uint64], most: int = 50) -> list[int]:
        """Return the documents of which most windows are like one of a text, best first."""
        found: Counter[int] = Counter()
        for signature in self._signatures(hashes):
            keys = {str(key).partition(":")[0] for key in self._windows.query(signature)}
            found.update(map(int, keys))
        return [d for d, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:most]]

    def _signatures(self, hashes: NDArray[np.uint64]) -> Iterator[Any]:
        last = max(1, len(hashes) - WINDOW + STEP)
        for first in range(0, last, STEP):
            window = hashes[first : first + WINDOW]
            if len(window):
                signature = self._empty.copy()
                signature.update_batch(window.tolist())
                yield signature


def _redis(storage: str, name: str) -> dict[str, Any]:
    parts = urlsplit(storage)
    if parts.scheme != "redis" or not parts.hostname:
        raise UsageError(f"Expected a storage such as redis://127.0.0.1:6379, found {storage!r}.")
    place = {"host": parts.hostname, "port": parts.port or _PORT}
    return {"type": "redis", "basename": name.encode(), "redis": place}


@lru_cache(maxsize=2)
def _filled(corpus: Corpus, documents: tuple[int, int], storage: str) -> WindowedLSH:
    windows = WindowedLSH(storage, f"{corpus.digest} {documents}")
    if windows.is_empty:
        for number in range(*documents):
            document = corpus.document(number)
            windows.add(number, fingerprint(document.code, document.language).hashes)
    return windows


def windowed_candidates(
    corpus: Corpus,
    of_each: Sequence[NDArray[np.uint64]],
    competition: str | None = None,
    storage: str = "",
) -> frozenset[int]:
    """Return documents of a corpus whose windows are like those of some texts.

    Parameters
    ----------
    of_each : sequence of ndarray of uint64
        The hashes of all runs of each text, in order.
    """
    among = corpus.docs_of(competition)
    windows = _filled(corpus, (among.start, among.stop), storage)
    return frozenset(d for hashes in of_each for d in windows.candidates(hashes))
