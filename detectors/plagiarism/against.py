"""An attempt held against a corpus: which part of it counts, and what honest solutions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import CorpusError, EvidenceUnavailableError
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.corpus.ranking import highest
from detectors.plagiarism.evidence import Significance
from detectors.plagiarism.significance import n_honest, null_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.attempt import Attempt
    from detectors.plagiarism.corpus.ranking import Candidate


def needed_corpus(folder: str) -> Corpus:
    """Open the corpus that a detector was given.

    Raises
    ------
    EvidenceUnavailableError
        When none was given, or what was given cannot be read.
    """
    if not folder:
        raise EvidenceUnavailableError(
            "corpus",
            "No corpus of public solutions was given to compare with.",
            "Make one with: mle-audit corpus build SOURCES --competition ID -o CORPUS",
        )
    try:
        return Corpus.open(folder)
    except CorpusError as error:
        raise EvidenceUnavailableError("corpus", error.problem, error.remedy) from error


def needed_code(attempt: Attempt) -> None:
    """See that an attempt's code was read and says anything.

    Raises
    ------
    EvidenceUnavailableError
        When there is none, it could not be read whole, or all its files are empty.
    """
    gap = attempt.gap(frozenset({"code"}))
    if gap is not None:
        raise gap
    if not any(file.text.strip() for file in attempt.code):
        raise EvidenceUnavailableError("code", f"All files of {attempt.id}'s code are empty.")


class Asked(NamedTuple):
    """A corpus, and which part of it an attempt is compared with.

    Parameters
    ----------
    competition : str or None
        None compares with every document.
    """

    corpus: Corpus
    competition: str | None

    def candidates(
        self,
        hashes: NDArray[np.uint64],
        most: int = 20,
        channel: str = "code",
        only: frozenset[int] | None = None,
    ) -> list[Candidate]:
        """Return the documents that share most, best first.

        They are those of the competition and those that no competition is known of.

        Parameters
        ----------
        only : frozenset of int, optional
            Numbers of the documents that are looked at, instead of all.
        """
        shared = self.corpus.shared(hashes, None, channel)
        numbers = shared.documents
        asked = np.ones(len(numbers), bool)
        if self.competition is not None:
            ranges = [self.corpus.docs_of(c) for c in {self.competition, ""}]
            inside = [(numbers >= r.start) & (numbers < r.stop) for r in ranges]
            asked = np.logical_or.reduce(inside)
        if only is not None:
            asked &= np.isin(numbers, sorted(only))
        places = np.flatnonzero(asked)
        best = places[highest(shared.scores[places], most)]
        return [shared.candidate(int(i)) for i in best]

    def significance(self, candidate: Candidate) -> Significance:
        """Say how often honest solutions of the source's competition score as high."""
        competition = self.corpus.entry(candidate.document).competition
        among = self.corpus.docs_of(competition)
        scores = self.corpus.null_scores[among.start : among.stop]
        null = null_of(scores)
        if null is None:
            return Significance(n_null=n_honest(scores))
        return Significance(null.p(candidate.score), len(null.scores))


def asked(folder: str, attempt: Attempt, competition: str = "") -> Asked:
    """Open the corpus and choose the part of it that an attempt is compared with.

    Parameters
    ----------
    competition : str
        Compare with this one's documents; empty takes the attempt's own. Where the attempt's is
        unknown, every document counts.

    Raises
    ------
    EvidenceUnavailableError
        When there is no corpus, or it has no document of the competition.
    """
    if not folder:
        needed_code(attempt)  # without code, a corpus would not help either
    corpus = needed_corpus(folder)
    record = attempt.readable_record
    named = competition or (record.competition_id if record else attempt.id.rpartition("_")[0])
    if not named or (not competition and record is None and named not in corpus.competitions):
        return Asked(corpus, None)
    if not len(corpus.docs_of(named)) and not len(corpus.docs_of("")):
        held = ", ".join(corpus.competitions[:5])
        raise EvidenceUnavailableError(
            "corpus",
            f"The corpus holds no solution of {named}; it holds those of {held or 'none'}.",
            f"Add some with: mle-audit corpus add CORPUS SOURCES --competition {named}",
        )
    return Asked(corpus, named)
