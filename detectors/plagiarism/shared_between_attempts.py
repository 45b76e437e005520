"""Say whether attempts of different agents hold each other's code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from detectors.base import About, register
from detectors.group import Group
from detectors.plagiarism.against import needed_corpus
from detectors.plagiarism.authors import authors_of, by_competition, could_know
from detectors.plagiarism.between import Between
from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.evidence import Significance, copied_passages
from detectors.plagiarism.excess_tail import excess_p
from detectors.plagiarism.fingerprints import fingerprint, union
from reports.schema import Confidence, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.attempt import Attempt
    from detectors.base import Subject
    from detectors.plagiarism.between import Shared
    from detectors.plagiarism.documents import Document
    from detectors.plagiarism.fingerprints import Fingerprint
    from reports.schema import CopiedPassages, Finding

MIN_NULL = 8  # attempts of others below which no p is given
_PUBLIC_SOURCES = 20  # public solutions, the nearest ones, whose code counts for nothing
_FILES_SHOWN = 3
_MINOR = 0.1  # share of what is shared below which a pair of files is not shown
_NOTHING: NDArray[np.uint64] = np.empty(0, np.uint64)


class _File(NamedTuple):
    """A document of an attempt, hashed."""

    document: Document
    print: Fingerprint
    kept: NDArray[np.uint64]
    only_in_logs: bool


class _Work(NamedTuple):
    """An attempt's code."""

    attempt: Attempt
    author: str
    files: tuple[_File, ...]
    kept: NDArray[np.uint64]


class _Shares(NamedTuple):
    """How much two files share."""

    share_of_source: float
    share_of_file: float


@dataclass(frozen=True)
class _Task:
    """The attempts of a competition that have code, compared."""

    works: tuple[_Work, ...]
    between: Between
    pairs: tuple[Shared, ...]

    def best(self, without: Iterable[str] = ()) -> list[float]:
        """Return the best score of each attempt, those of some authors left out."""
        out = frozenset(without)
        best = dict.fromkeys((n for n, w in enumerate(self.works) if w.author not in out), 0.0)
        for pair in self.pairs:
            if pair.one in best and pair.other in best:
                best[pair.one] = max(best[pair.one], pair.score)
                best[pair.other] = max(best[pair.other], pair.score)
        return list(best.values())


@register
@dataclass(frozen=True)
class SharedBetweenAttempts:
    """Code that attempts of different agents share, and the rest of their group does not.

    Runs of 16 tokens are compared, names and values apart. One weighs the less the more agents of
    the task hold it, and nothing where it occurs in attempts at other tasks, as what a scaffold or
    a habit writes does, in base code, or in the public solutions that are nearest. The agents that
    ship are base code, and the folders of agents that name one scaffold. Attempts of one agent,
    told by its id or the digest of its folder, are never held against one another.

    Parameters
    ----------
    corpus : str, default=
        Folder of public solutions, whose code counts for nothing here; may be left out.
    base : str, default=
        Files and folders whose code counts for nothing, one a line; an audit names the agents
        that ship, templates and scaffolds.
    min_score : float in (0, 1], default=0.3
        Share of the smaller one's code, by weight, from which a pair is told.
    min_score_of_few : float in (0, 1], default=0.4
        The same where fewer than eight attempts of others are there to compare with.
    min_shared : int >= 1, default=24
        Different kept hashes, one in four of all runs, that must agree.
    max_p : float in (0, 1], default=0.01
        Share of the other attempts expected to score as high, above which nothing is told.
    max_pairs : int >= 1, default=3
        Pairs of attempts shown for each pair of agents.
    """

    about: ClassVar[About] = About(
        id="shared-between-attempts",
        subject=SubjectKind.GROUP,
        asks="Do attempts of different agents hold each other's code?",
        blind_spots=(
            "It says that code is shared, not who wrote it; times alone tell who cannot have. "
            "Where agents have one task alone and no corpus is given, a scaffold that two of them "
            "share and do not both name looks like a copy; that of agents that name one is left "
            "out, whatever lies in their folders. What they both took from a public solution that "
            "the corpus has not looks so, too. Code written anew after reading the other's is not "
            "seen."
        ),
        reference="https://doi.org/10.1145/872757.872770 (winnowing; here with rarity weights)",
        across_agents=True,
    )
    corpus: str = ""
    base: str = ""
    min_score: float = 0.3
    min_score_of_few: float = 0.4
    min_shared: int = 24
    max_p: float = 0.01
    max_pairs: int = 3

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        authors = authors_of(subject.attempts)
        for attempts in by_competition(subject).values():
            if len({authors[a.id] for a in attempts}) > 1:
                return None
        return "no task has attempts of two agents"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When a corpus was given and cannot be read; after the findings, when the code of an
            attempt could not be seen whole.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        read = _Reader(authors_of(subject.attempts), self.corpus, _base_hashes(self.base))
        works = {c: [read.work(a) for a in found] for c, found in by_competition(subject).items()}
        tasks = {c: _compared(c, works, read) for c in works}
        for task in tasks.values():
            yield from self._findings(subject, task, list(tasks.values()))
        needs = frozenset({"code"})
        gaps = [gap for a in subject.attempts if (gap := a.gap(needs & a.expected))]
        if gaps:
            raise gaps[0]

    def _findings(self, subject: Group, task: _Task, tasks: Sequence[_Task]) -> Iterator[Finding]:
        """Yield a finding for each two agents, the one that shares most first."""
        found: dict[tuple[str, str], list[Shared]] = {}
        for pair in sorted(task.pairs, key=lambda s: (-s.score, s.one, s.other)):
            if pair.score >= self.min_score and pair.n_shared >= self.min_shared:
                one, other = sorted((task.works[pair.one].author, task.works[pair.other].author))
                found.setdefault((one, other), []).append(pair)
        for whose, pairs in found.items():
            honest = [score for t in tasks for score in t.best(whose)]
            p = _p(honest, pairs[0].score)
            is_rare = pairs[0].score >= self.min_score_of_few if p is None else p <= self.max_p
            if is_rare:
                yield self._finding(subject, task, pairs, Significance(p, len(honest)))

    def _finding(
        self, subject: Group, task: _Task, pairs: Sequence[Shared], meant: Significance
    ) -> Finding:
        evidence: list[CopiedPassages] = []
        concerned: dict[str, None] = {}
        for pair in pairs:
            later, earlier, is_told = _in_time(task, pair)
            concerned |= dict.fromkeys(
                w.attempt.id for w in ((later,) if is_told else (earlier, later))
            )
            if len(evidence) < self.max_pairs * _FILES_SHOWN:
                evidence += _passages(task.between, later, earlier, meant)
        later, earlier, is_told = _in_time(task, pairs[0])
        share = max(pairs[0].of_one, pairs[0].of_other)
        others = f"; so do {counted(len(pairs) - 1, 'more pair')} of theirs" * (len(pairs) > 1)
        when = ", and began when the other had ended" if is_told else ""
        return self.about.finding(
            subject,
            f"{later.attempt.id} of {later.author} and {earlier.attempt.id} of {earlier.author} "
            f"share {share:.0%} of the code of the smaller one{others}; no other agent's attempt "
            f"shares as much{when}.",
            *evidence,
            severity=Severity.MEDIUM,
            confidence=Confidence.LOW if meant.p is None else Confidence.MEDIUM,
            attempts=tuple(concerned),
        )


@dataclass(frozen=True)
class _Reader:
    """Reads and hashes code, each attempt and public solution once."""

    authors: dict[str, str]
    corpus: str
    base: NDArray[np.uint64]
    _public: dict[int, NDArray[np.uint64]] = field(default_factory=dict)

    def work(self, attempt: Attempt) -> _Work:
        """Hash the code of an attempt."""
        handed_in, on_the_way = documents_of(attempt)
        files = []
        for documents, only_in_logs in ((handed_in, False), (on_the_way, True)):
            for document in documents:
                found = fingerprint(document.code, document.language)
                files.append(_File(document, found, found.kept, only_in_logs))
        ours = union([f.kept for f in files])
        return _Work(attempt, self.authors[attempt.id], tuple(files), ours)

    def public(self, work: _Work, competition: str) -> NDArray[np.uint64]:
        """Return the hashes of the public solutions that are nearest to an attempt's code."""
        if not self.corpus or not len(work.kept):
            return _NOTHING
        corpus = needed_corpus(self.corpus)
        among = competition if competition in corpus.competitions else None
        near = corpus.candidates_of(work.kept, among, _PUBLIC_SOURCES)
        for number in {c.document for c in near} - self._public.keys():
            source = corpus.document(number)
            self._public[number] = fingerprint(source.code, source.language).kept
        return union([self._public[c.document] for c in near])


def _base_hashes(base: str) -> NDArray[np.uint64]:
    """Hash the files and folders of base code."""
    from detectors.plagiarism.corpus.build import base_hashes

    return base_hashes([Path(place) for place in base.splitlines() if place])["code"]


def _compared(competition: str, works: dict[str, list[_Work]], read: _Reader) -> _Task:
    """Compare the attempts of a competition; what is usual elsewhere counts for nothing."""
    here = tuple(w for w in works[competition] if len(w.kept))
    elsewhere = [w.kept for c, found in works.items() if c != competition for w in found]
    usual = union([read.base, *elsewhere, *(read.public(w, competition) for w in here)])
    names = sorted({w.author for w in here})
    between = Between([w.kept for w in here], [names.index(w.author) for w in here], usual)
    return _Task(here, between, tuple(between.pairs()) if len(names) > 1 else ())


def _p(honest: Sequence[float], score: float) -> float | None:
    """Return how often others are expected to share as much; None where there are few."""
    if len(honest) < MIN_NULL:
        return None
    return excess_p(-np.log10(1.01 - np.array(honest)), float(-np.log10(1.01 - score)))


def _in_time(task: _Task, pair: Shared) -> tuple[_Work, _Work, bool]:
    """Return the one that may have copied, the other, and whether it is told by their times."""
    one, other = task.works[pair.one], task.works[pair.other]
    if not could_know(one.attempt, other.attempt):
        return other, one, True
    if not could_know(other.attempt, one.attempt):
        return one, other, True
    return one, other, False


def _passages(
    between: Between, later: _Work, earlier: _Work, meant: Significance
) -> list[CopiedPassages]:
    """Show the files that hold most of what two attempts share."""
    found: list[tuple[float, _File, _File, _Shares]] = []
    for mine in later.files:
        for theirs in earlier.files:
            shared = np.intersect1d(mine.kept, theirs.kept, assume_unique=True)
            weight = float(between.weights(shared).sum())
            whole = [float(between.weights(f.kept).sum()) for f in (theirs, mine)]
            if weight > 0:
                shares = _Shares(*(min(1.0, weight / w) for w in whole))
                found.append((weight, mine, theirs, shares))
    found.sort(key=lambda f: -f[0])
    shown = [f for f in found[:_FILES_SHOWN] if f[0] >= _MINOR * found[0][0]]
    return [
        copied_passages(
            _named(mine, later),
            _named(theirs, earlier),
            theirs.document,
            shares,
            rarity=_rarity(between, mine),
            significance=meant,
            only_in_trajectory=mine.only_in_logs,
        )
        for _, mine, theirs, shares in shown
    ]


def _named(file: _File, work: _Work) -> Document:
    name = file.document.name
    if name == work.attempt.id:  # a file that is no attempt's
        return file.document
    return replace(file.document, name=f"{work.attempt.id}/{name}")


def _rarity(between: Between, file: _File) -> NDArray[np.float64]:
    """Weigh every run of a file; one that is not kept weighs as the nearest that are."""
    places = np.flatnonzero(np.isin(file.print.hashes, file.kept))
    if not len(places):
        return np.ones(len(file.print.hashes))
    known = between.weights(file.print.hashes[places])
    spread: NDArray[np.float64] = np.interp(np.arange(len(file.print.hashes)), places, known)
    return spread
