"""How much of their words honest solutions of a competition share with others."""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.comments import document_shingles
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.evidence import Significance
from detectors.plagiarism.fingerprints import kept
from detectors.plagiarism.significance import MOST_NULL, n_honest, null_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def prose_significance(corpus: Corpus, competition: str, score: float) -> Significance:
    """Say how often the words of honest solutions score as high; see `significance`."""
    scores = _scores(corpus.folder, corpus.digest, competition)
    null = null_of(scores)
    if null is None:
        return Significance(n_null=n_honest(scores))
    return Significance(null.p(score), len(null.scores))


@lru_cache(maxsize=32)
def _scores(folder: Path, _digest: str, competition: str) -> NDArray[np.float32]:
    """Ask documents of a competition for their best match among those of other authors."""
    corpus = Corpus.open(folder)
    among = corpus.docs_of(competition)
    step = max(1, -(-len(among) // MOST_NULL))
    scores = [_best(corpus, competition, number) for number in among[::step]]
    return np.array(scores, np.float32)


def _best(corpus: Corpus, competition: str, number: int) -> float:
    shared = corpus.shared(kept(document_shingles(corpus.document(number))), competition, "prose")
    author = _author(corpus, number)
    for place in np.argsort(-shared.scores, kind="stable").tolist():
        if _author(corpus, int(shared.documents[place])) != author:
            return float(shared.scores[place])
    return 0.0


def _author(corpus: Corpus, number: int) -> str:
    """Return a document's author; one that is not known is told by the name without its suffix."""
    entry = corpus.entry(number)
    name = PurePosixPath(entry.name).with_suffix("").as_posix()
    return str(entry.raw_provenance.get("author") or name)
