"""What the documents of a corpus share with those of other authors, asked once when it is built."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.fingerprints import fingerprint
from detectors.plagiarism.significance import MOST_NULL

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.plagiarism.corpus.index import Corpus


def write_null(folder: Path, corpus: Corpus) -> None:
    """Write each asked document's best score against other authors of its competition.

    Documents without a known author are told apart by their name without its suffix: a kernel that
    is kept as script and as notebook does not copy itself.
    """
    scores = np.full(corpus.n_documents, np.nan, np.float32)
    for competition, _ in corpus.card.competitions:
        among = corpus.docs_of(competition)
        step = max(1, -(-len(among) // MOST_NULL))
        authors = {d: _author(corpus, d) for d in among}
        for document in among[::step]:
            shared = corpus.shared(_hashes(corpus, document), competition)
            others = [
                score
                for d, score in zip(shared.documents, shared.scores, strict=True)
                if authors[int(d)] != authors[document]
            ]
            scores[document] = max(others, default=0.0)
    scores.tofile(folder / "null.scores")


def _author(corpus: Corpus, document: int) -> str:
    entry = corpus.entry(document)
    name = PurePosixPath(entry.name).with_suffix("").as_posix()
    return str(entry.raw_provenance.get("author") or name)


def _hashes(corpus: Corpus, number: int) -> NDArray[np.uint64]:
    document = corpus.document(number)
    return fingerprint(document.code, document.language).kept
