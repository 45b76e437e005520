"""Say whether an attempt's words are those of a public notebook or write-up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.plagiarism.against import asked, needed_code
from detectors.plagiarism.comments import document_shingles
from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.evidence import copied_passages, prose_parts
from detectors.plagiarism.fingerprints import kept
from detectors.plagiarism.plans import notes_of, words_of_logs
from detectors.plagiarism.prose import RUN_WORDS, prose_shingles, sentences_of
from detectors.plagiarism.prose_null import prose_significance
from detectors.plagiarism.task_words import task_hashes
from reports.schema import Confidence, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.plagiarism.against import Asked
    from detectors.plagiarism.corpus.ranking import Candidate
    from detectors.plagiarism.documents import Document
    from reports.schema import Finding

_MOST_CANDIDATES = 30
_MAX_SHOWN = 3  # files of the attempt shown with a finding
_RARE = 0.5  # rarity from which words count: at most five of 25 solutions hold them, ten of 100
_LOW_P = 0.05  # of honest solutions: more of them share as much by chance or custom
_SAME = 0.5  # share of what two sources hold from which one of them is told
_HALF = 0.5  # a document, where numbers of them are not whole
_PARAGRAPH = 40  # words of comments that count as one
_WHOLE, _LONG = 0.8, 250  # share of the source and words from which it is a copy of the whole


class _Text(NamedTuple):
    """A text of the attempt: a document with one kind of prose, and its shingles."""

    document: Document
    hashes: NDArray[np.uint64]
    only_in_logs: bool


class _Source(NamedTuple):
    """A document of the corpus, and what of its words the attempt has and few other solutions.

    Parameters
    ----------
    n_words : int
        Of the source, in runs that the attempt has, too.
    n_paragraphs : int
        Of the source, with such a run.
    longest : int
        Words of the longest run.
    texts : tuple of int
        Which texts of the attempt hold them, most first.
    agreed : ndarray of uint64
        Hashes of the runs.
    n_others : int
        Documents that hold most of the same.
    """

    candidate: Candidate
    n_words: int
    n_paragraphs: int
    longest: int
    texts: tuple[int, ...]
    agreed: NDArray[np.uint64]
    n_others: int = 0


@register
@dataclass(frozen=True)
class CopiedProse:
    """Words that public notebooks and write-ups hold, too.

    Markdown, docstrings, comments that begin their line, notes beside the code, plans and thoughts
    in the logs are compared by runs of eight words. What the task's description or the instructions
    say, what licences and templates say, quotations, tables, lists of columns and what many
    solutions hold count for nothing. A paragraph or two, however long, may be quoted from
    elsewhere: a note.

    Parameters
    ----------
    corpus : str, default=
        Folder of the public solutions; without one the check is not available.
    competition : str, default=
        Compare with solutions of this competition; empty takes the attempt's own.
    data : str, default=
        Data directory; the task's description there counts for nothing. Without one only what the
        task's definition and the logs tell is left out.
    min_words : int >= 8, default=60
        Words of the source in shared runs that few others hold, from which it is told.
    min_paragraphs : int >= 1, default=3
        Paragraphs of the source with such runs from which it is more than a note.
    min_share : float in [0, 1], default=0.05
        Share of the source or of the attempt's words, weighted by rarity, from which it is told.
    max_sources : int >= 1, default=5
        Sources told.
    """

    about: ClassVar[About] = About(
        id="copied-prose",
        subject=SubjectKind.ATTEMPT,
        asks="Are plans, comments or texts of the attempt those of a public solution?",
        blind_spots=(
            "It knows only what the corpus holds, and words as they stand there: a text said "
            "anew or translated is not seen. Two authors may have quoted a third that the "
            "corpus has not. Comments beside code, what is marked as a quotation, and plans in "
            "logs whose form is not known are not read."
        ),
        reference="https://doi.org/10.1109/SEQUEN.1997.666900 (resemblance and containment)",
        needs=frozenset({"code"}),
    )
    corpus: str = ""
    competition: str = ""
    data: str = ""
    min_words: int = 60
    min_paragraphs: int = 3
    min_share: float = 0.05
    max_sources: int = 5

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When no corpus was given, or it has no solution of the competition; after the
            findings, when there is no code.
        """
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        among = asked(self.corpus, subject, self.competition)
        words = words_of_logs(subject)
        name = among.competition or subject.id.rpartition("_")[0]
        told = task_hashes(name, self.data, words.given)
        handed_in, on_the_way = documents_of(subject)
        texts = [
            *_texts((*handed_in, *notes_of(subject)), told, only_in_logs=False),
            *_texts((*on_the_way, *words.written), told, only_in_logs=True),
        ]
        if texts:
            search = _Search(among, texts, told)
            for source in self._sources(search)[: self.max_sources]:
                yield self._finding(subject, search, source)
        needed_code(subject)

    def _sources(self, search: _Search) -> list[_Source]:
        """Return the documents that are told, best first; one for those that hold the same."""
        found: list[_Source] = []
        for source in map(search.source, search.candidates()):
            share = max(source.candidate.share_of_source, source.candidate.share_of_file)
            if source.n_words < self.min_words or share < self.min_share:
                continue
            for i, other in enumerate(found):
                same = np.isin(source.agreed, other.agreed).mean()
                if same > _SAME:
                    found[i] = other._replace(n_others=other.n_others + 1)
                    break
            else:
                found.append(source)
        return found

    def _finding(self, subject: Attempt, search: _Search, source: _Source) -> Finding:
        corpus = search.among.corpus
        entry = corpus.entry(source.candidate.document)
        meant = prose_significance(corpus, entry.competition, source.candidate.score)
        shown = [(i, search.texts[i]) for i in source.texts[:_MAX_SHOWN]]
        evidence = [
            copied_passages(
                text.document,
                entry,
                corpus.document(source.candidate.document),
                source.candidate,
                channel="prose",
                rarity=search.rarity(number, entry.competition),
                significance=meant,
                only_in_trajectory=text.only_in_logs,
            )
            for number, text in shown
        ]
        by = f" by {entry.provenance.author}" if entry.provenance.author else ""
        where = "The logs tell" if all(t.only_in_logs for _, t in shown) else "The texts hold"
        paragraphs = counted(source.n_paragraphs, "paragraph")
        more = counted(source.n_others, "other document")
        also = "shares" if source.n_others == 1 else "share"
        others = f" {more} of the corpus {also} most of it." if source.n_others else ""
        severity, confidence = self._weighed(source, meant.p)
        return self.about.finding(
            subject,
            f"{where} {source.n_words:,} words as they stand in {paragraphs} of {entry.name}{by} "
            f"and in few other solutions; {source.longest:,} of them in a row.{others}",
            *evidence,
            severity=severity,
            confidence=confidence,
        )

    def _weighed(self, source: _Source, p: float | None) -> tuple[Severity, Confidence]:
        """Weigh what is shared: a paragraph or two may be quoted from a third."""
        if source.n_paragraphs < self.min_paragraphs:
            return Severity.NOTE, Confidence.LOW
        if p is not None and p > _LOW_P:
            return Severity.LOW, Confidence.LOW
        if source.candidate.share_of_source >= _WHOLE and source.n_words >= _LONG:
            return Severity.HIGH, Confidence.MEDIUM
        return Severity.MEDIUM, Confidence.MEDIUM


def _texts(
    documents: Iterable[Document], told: NDArray[np.uint64], *, only_in_logs: bool
) -> Iterator[_Text]:
    """Yield the texts of documents that say anything beyond the task; prose and comments apart."""
    for document in documents:
        for words, shown in prose_parts(document):
            hashes = prose_shingles(words).hashes
            if not np.isin(hashes, told).all():
                is_prose = shown is document.prose
                part = replace(document, code="") if is_prose else replace(document, prose="")
                yield _Text(part, hashes, only_in_logs)


@dataclass(frozen=True)
class _Search:
    """An attempt's texts, held against a corpus.

    Parameters
    ----------
    told : ndarray of uint64, sorted
        Hashes of what the attempt was told.
    """

    among: Asked
    texts: Sequence[_Text]
    told: NDArray[np.uint64]
    rarities: dict[tuple[int, str], NDArray[np.float64]] = field(default_factory=dict)

    def candidates(self) -> list[Candidate]:
        """Return the documents that share most with all texts together, best first."""
        union = np.unique(np.concatenate([kept(t.hashes) for t in self.texts]))
        return self.among.candidates(union[~np.isin(union, self.told)], _MOST_CANDIDATES, "prose")

    def rarity(self, number: int, competition: str) -> NDArray[np.float64]:
        """Say how rare each run of a text is: 0 for what the task or other tasks' solutions say."""
        if (number, competition) not in self.rarities:
            hashes = self.texts[number].hashes
            rare = self.among.corpus.rarity_of(hashes, competition, "prose")
            rare[self._elsewhere(hashes, competition, rare) | np.isin(hashes, self.told)] = 0
            self.rarities[number, competition] = rare
        return self.rarities[number, competition]

    def _elsewhere(
        self, hashes: NDArray[np.uint64], competition: str, rare: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Say which runs stand in solutions of other competitions, too."""
        corpus = self.among.corpus
        n_here, n_all = len(corpus.docs_of(competition)), corpus.n_documents
        if not competition or n_here == n_all:
            return np.zeros(len(hashes), bool)
        everywhere = corpus.rarity_of(hashes, None, "prose")
        return _holding(everywhere, n_all) - _holding(rare, n_here) > _HALF

    def source(self, candidate: Candidate) -> _Source:
        """Count the words of a source that texts hold and few others."""
        corpus = self.among.corpus
        competition = corpus.entry(candidate.document).competition
        document = corpus.document(candidate.document)
        theirs = document_shingles(document)
        of_text: list[tuple[int, int]] = []
        agreed = np.empty(0, np.uint64)
        for number, text in enumerate(self.texts):
            shared = np.isin(text.hashes, theirs)
            if shared.any():
                shared &= self.rarity(number, competition) >= _RARE
                of_text.append((-int(shared.sum()), number))
                agreed = np.union1d(agreed, text.hashes[shared])
        covered = [
            _covered(words, agreed, is_prose=shown is document.prose)
            for words, shown in prose_parts(document)
        ]
        return _Source(
            candidate,
            sum(c.n_words for c in covered),
            sum(c.n_paragraphs for c in covered),
            max(c.longest for c in covered),
            tuple(number for n, number in sorted(of_text) if n),
            agreed,
        )


def _holding(rare: NDArray[np.float64], n_documents: int) -> NDArray[np.float64]:
    """Return how many of some documents hold runs of that rarity; 1 also where none does."""
    holding: NDArray[np.float64] = (n_documents + 1) ** (1 - rare)
    return holding


class _Covered(NamedTuple):
    n_words: int
    n_paragraphs: int
    longest: int


def _covered(text: str, agreed: NDArray[np.uint64], *, is_prose: bool) -> _Covered:
    r"""Count the words of a text that lie in given shingles.

    Comments have no paragraphs: each run counts for one, and for one more with every 40 words.

    Examples
    --------
    >>> text = "one two three four five six seven eight nine\n\nten eleven twelve"
    >>> _covered(text, prose_shingles(text).hashes[:2], is_prose=True)
    _Covered(n_words=9, n_paragraphs=1, longest=9)
    """
    sentences = sentences_of(text)
    lines = np.repeat([s.line for s in sentences], [s.n_words for s in sentences])
    starts = np.flatnonzero(np.isin(prose_shingles(text).hashes, agreed))
    if not len(starts):
        return _Covered(0, 0, 0)
    steps = np.zeros(len(lines) + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, starts + RUN_WORDS, -1)
    inside = np.cumsum(steps[:-1]) > 0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    runs = edges[1::2] - edges[::2]
    if is_prose:
        paragraph = np.cumsum(np.diff(lines, prepend=lines[:1]) > 1)  # an empty line lies between
        n_paragraphs = (np.bincount(paragraph[inside]) >= RUN_WORDS).sum()
    else:
        n_paragraphs = np.maximum(1, runs // _PARAGRAPH).sum()
    return _Covered(int(inside.sum()), int(n_paragraphs), int(runs.max()))
