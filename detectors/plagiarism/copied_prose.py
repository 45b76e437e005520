"""Say whether an attempt's words are those of a public notebook or write-up."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    from detectors.plagiarism.corpus.index import Candidate
    from detectors.plagiarism.documents import Document
    from reports.schema import Finding

_MOST_CANDIDATES = 30
_MAX_SHOWN = 3  # files of the attempt shown with a finding
_RARE = 0.6  # rarity from which words count: about three of 20 solutions, six of 100
_LOW_P = 0.05  # of honest solutions: more of them share as much by chance or custom
_PARAGRAPH = 40  # words of comments that count as one
_WHOLE, _LONG = 0.8, 250  # share of the source and words from which it is a copy of the whole


class _Text(NamedTuple):
    """A text of the attempt: a document with one kind of prose, and its shingles."""

    document: Document
    hashes: NDArray[np.uint64]
    only_in_logs: bool


class _Held(NamedTuple):
    """What of a source's words the attempt has, and few other solutions.

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
    """

    n_words: int
    n_paragraphs: int
    longest: int
    texts: tuple[int, ...]


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
        yield from self._findings(subject, among, texts, told)
        needed_code(subject)

    def _findings(
        self, subject: Attempt, among: Asked, texts: Sequence[_Text], told: NDArray[np.uint64]
    ) -> Iterator[Finding]:
        if not texts:
            return
        union = np.unique(np.concatenate([kept(t.hashes) for t in texts]))
        n_told = 0
        for candidate in among.candidates(union[~np.isin(union, told)], _MOST_CANDIDATES, "prose"):
            held = _held(among, texts, candidate, told)
            share = max(candidate.share_of_source, candidate.share_of_file)
            if held.n_words >= self.min_words and share >= self.min_share:
                yield self._finding(subject, among, texts, candidate, held, told)
                n_told += 1
                if n_told >= self.max_sources:
                    return

    def _finding(
        self,
        subject: Attempt,
        among: Asked,
        texts: Sequence[_Text],
        candidate: Candidate,
        held: _Held,
        told: NDArray[np.uint64],
    ) -> Finding:
        entry = among.corpus.entry(candidate.document)
        source = among.corpus.document(candidate.document)
        meant = prose_significance(among.corpus, entry.competition, candidate.score)
        shown = [texts[i] for i in held.texts[:_MAX_SHOWN]]
        evidence = [
            copied_passages(
                text.document,
                entry,
                source,
                candidate,
                channel="prose",
                rarity=_rarity(among, entry.competition, text.hashes, told),
                significance=meant,
                only_in_trajectory=text.only_in_logs,
            )
            for text in shown
        ]
        by = f" by {entry.provenance.author}" if entry.provenance.author else ""
        where = "The logs tell" if all(t.only_in_logs for t in shown) else "The attempt has"
        paragraphs = counted(held.n_paragraphs, "paragraph")
        severity, confidence = self._weighed(candidate, held, meant.p)
        return self.about.finding(
            subject,
            f"{where} {held.n_words} words as they stand in {paragraphs} of {entry.name}{by} and "
            f"in few other solutions; {held.longest} of them in a row.",
            *evidence,
            severity=severity,
            confidence=confidence,
        )

    def _weighed(
        self, candidate: Candidate, held: _Held, p: float | None
    ) -> tuple[Severity, Confidence]:
        """Weigh what is shared: a paragraph or two may be quoted from a third."""
        if held.n_paragraphs < self.min_paragraphs:
            return Severity.NOTE, Confidence.LOW
        if p is not None and p > _LOW_P:
            return Severity.LOW, Confidence.LOW
        if candidate.share_of_source >= _WHOLE and held.n_words >= _LONG:
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


def _rarity(
    among: Asked, competition: str, hashes: NDArray[np.uint64], told: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Say how rare each run of words is; what the task says is not, nor what other tasks' say."""
    corpus = among.corpus
    rare = corpus.rarity_of(hashes, competition, "prose")
    n_here, n_all = len(corpus.docs_of(competition)), corpus.n_documents
    if n_all > n_here:
        everywhere = corpus.rarity_of(hashes, None, "prose")
        holding = (n_all + 1) ** (1 - everywhere) - (n_here + 1) ** (1 - rare)
        rare = np.where(holding > 0.5, 0.0, rare)  # noqa: PLR2004 - at least one document
    return np.where(np.isin(hashes, told), 0.0, rare)


def _held(
    among: Asked, texts: Sequence[_Text], candidate: Candidate, told: NDArray[np.uint64]
) -> _Held:
    """Count the words of a source that texts hold and few others."""
    corpus = among.corpus
    competition = corpus.entry(candidate.document).competition
    source = corpus.document(candidate.document)
    theirs = document_shingles(source)
    of_text: list[tuple[int, int]] = []
    agreed = np.empty(0, np.uint64)
    for number, text in enumerate(texts):
        shared = np.isin(text.hashes, theirs)
        if shared.any():
            shared &= _rarity(among, competition, text.hashes, told) >= _RARE
            of_text.append((-int(shared.sum()), number))
            agreed = np.union1d(agreed, text.hashes[shared])
    covered = [
        _covered(words, agreed, is_prose=shown is source.prose)
        for words, shown in prose_parts(source)
    ]
    return _Held(
        sum(c.n_words for c in covered),
        sum(c.n_paragraphs for c in covered),
        max(c.longest for c in covered),
        tuple(number for n, number in sorted(of_text) if n),
    )


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
