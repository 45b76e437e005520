"""Say whether an attempt holds the code of public solutions, whole, in part or pieced together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError, UsageError
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.plagiarism.against import asked, needed_code
from detectors.plagiarism.chance import by_chance, surprise
from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.evidence import copied_passages
from detectors.plagiarism.fingerprints import RUN, fingerprint, union
from detectors.plagiarism.loose_code import confidence_in
from detectors.plagiarism.windows import windowed_candidates
from reports.copy_words import percent
from reports.schema import Confidence, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.plagiarism.against import Asked
    from detectors.plagiarism.corpus.ranking import Candidate
    from detectors.plagiarism.documents import Document
    from detectors.plagiarism.evidence import Significance
    from detectors.plagiarism.fingerprints import Fingerprint
    from reports.schema import CopiedPassages, Finding

_MOST_CANDIDATES = 50
_FILES_SHOWN = 3  # of one attempt, for each source
_MINOR = 0.1  # share of what is shared below which a file is not shown


class _File(NamedTuple):
    """A file of the attempt, hashed."""

    document: Document
    print: Fingerprint
    kept: NDArray[np.uint64]


class _Source(NamedTuple):
    """A document of the corpus that the attempt shares much with, and what it shares."""

    candidate: Candidate
    shared: NDArray[np.uint64]
    also: tuple[Candidate, ...]  # documents that hold the same


@register
@dataclass(frozen=True)
class CopiedNotebook:
    """Code that public solutions hold, too.

    Every run of 16 tokens counts, names and values apart, weighted by how few solutions of the same
    competition hold it. The score of a public solution is the share of it that the attempt holds;
    a whole copy, a part within other code, and one spread over several files all raise it. Runs
    that anybody would write count for little, as those of tables and stacks of layers. Code that
    only the logs show counts as a finding of its own.

    Parameters
    ----------
    corpus : str, default=
        Folder of the public solutions; without one the check is not available.
    competition : str, default=
        Compare with solutions of this competition; empty takes the attempt's own.
    min_score : float in (0, 1], default=0.14
        Share of a solution, weighted by rarity and less where there is little to share, from which
        it is told.
    min_shared : int >= 1, default=12
        Different kept hashes, one in four of all runs, that must agree.
    min_beyond_chance : float in [0, 1], default=0.05
        What the score must be without the runs that other authors would write by chance.
    max_p : float in (0, 1], default=0.01
        Share of honest solutions expected to score as high, above which nothing is told.
    engine : {"index", "lsh"}, default=index
        Where candidates come from: the corpus' own index, or MinHash and LSH over windows.
    storage : str, default=
        With `lsh`: empty keeps the windows in memory, ``redis://HOST:PORT`` in Redis.
    max_sources : int >= 1, default=8
        Sources told; more that hold the same are counted.
    """

    about: ClassVar[About] = About(
        id="copied-notebook",
        subject=SubjectKind.ATTEMPT,
        asks="Is the code, whole or in part, that of a public solution?",
        blind_spots=(
            "It knows only what the corpus holds. Code written anew after reading a solution, with "
            "other statements in another order, shares no runs of tokens; so do translations to "
            "another language, code that is decoded before it runs (base64, rot13), and code with "
            "different dead statements, + 0, or calls of helpers that do nothing put in at every "
            "line. Tables and rows of like statements are passed over "
            "even where they were copied. Two authors may have copied from a third that is not "
            "there: it says that code is shared, not who wrote it first."
        ),
        reference="https://doi.org/10.1145/872757.872770 (winnowing; here with rarity weights)",
        needs=frozenset({"code"}),
    )
    corpus: str = ""
    competition: str = ""
    min_score: float = 0.14
    min_shared: int = 12
    min_beyond_chance: float = 0.05
    max_p: float = 0.01
    engine: str = "index"
    storage: str = ""
    max_sources: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When no corpus was given, or it has no solution of the competition; after the
            findings, when there is no code, or none that is long enough to be compared.
        """
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        among = asked(self.corpus, subject, self.competition)
        handed_in, on_the_way = documents_of(subject)
        told: set[int] = set()
        n_runs = 0
        for documents, only_in_trajectory in ((handed_in, False), (on_the_way, True)):
            files = _hashed(documents)
            n_runs += sum(len(f.print.hashes) for f in files)
            sources = self._sources(among, files)
            for source in sources[: self.max_sources]:
                if source.candidate.document not in told:
                    told.add(source.candidate.document)
                    yield self._finding(
                        subject, among, files, source, only_in_trajectory=only_in_trajectory
                    )
        needed_code(subject)
        if not n_runs:
            problem = f"No file of {subject.id} has {RUN} tokens of code, too little to compare."
            raise EvidenceUnavailableError("code", problem)

    def _sources(self, among: Asked, files: Sequence[_File]) -> list[_Source]:
        """Return the solutions that are told, best first; those that hold the same are one."""
        ours = union([f.kept for f in files])
        found: list[_Source] = []
        only = self._windowed(among, files)
        for candidate in among.candidates(ours, _MOST_CANDIDATES, only=only):
            if candidate.score < self.min_score or candidate.n_shared < self.min_shared:
                continue
            p = among.significance(candidate).p
            if p is not None and p > self.max_p:
                continue
            source = among.corpus.document(candidate.document)
            made = fingerprint(source.code, source.language)
            if not self._is_beyond_chance(among, candidate, made, files):
                continue
            held = np.intersect1d(made.kept, ours)
            for i, other in enumerate(found):
                if len(np.intersect1d(held, other.shared)) > len(held) // 2:
                    found[i] = other._replace(also=(*other.also, candidate))
                    break
            else:
                found.append(_Source(candidate, held, ()))
        return found

    def _is_beyond_chance(
        self, among: Asked, candidate: Candidate, source: Fingerprint, files: Sequence[_File]
    ) -> bool:
        """Say whether enough of what is shared would hardly be written twice."""
        hashes, first = np.unique(source.hashes, return_index=True)
        first = first[np.isin(hashes, union([f.kept for f in files]))]
        n_tokens = sum(len(f.print.tokens.kinds) for f in files)
        own = 1 - by_chance(surprise(source.tokens.kinds)[first], n_tokens)
        competition = among.corpus.entry(candidate.document).competition
        weights = among.corpus.rarity_of(source.hashes, competition)[first] ** 3
        if not weights.any():
            return False
        share = float((weights * own).sum() / weights.sum())
        enough = float(own[weights > 0].sum()) >= _ENOUGH_OWN * self.min_shared
        return enough and candidate.score * share >= self.min_beyond_chance

    def _windowed(self, among: Asked, files: Sequence[_File]) -> frozenset[int] | None:
        """Return the candidates of the windows, or None where the index gives them."""
        if self.engine == "index":
            return None
        if self.engine != "lsh":
            raise UsageError(f"Expected an engine of index, lsh; found {self.engine!r}.")
        hashes = [f.print.hashes for f in files]
        return windowed_candidates(among.corpus, hashes, among.competition, self.storage)

    def _finding(
        self,
        subject: Attempt,
        among: Asked,
        files: Sequence[_File],
        source: _Source,
        *,
        only_in_trajectory: bool,
    ) -> Finding:
        entry = among.corpus.entry(source.candidate.document)
        meant = among.significance(source.candidate)
        shown = _holding(files, source)
        evidence = [
            self._passages(among, file, source, meant, only_in_trajectory=only_in_trajectory)
            for file in shown
        ]
        by = f" by {entry.provenance.author}" if entry.provenance.author else ""
        where = "The logs show code that holds" if only_in_trajectory else "The code holds"
        spread = f", spread over {counted(len(shown), 'file')}" if len(shown) > 1 else ""
        others = (
            f" {counted(len(source.also), 'other document')} of the corpus "
            f"{'shares' if len(source.also) == 1 else 'share'} it."
            if source.also
            else ""
        )
        severity, confidence = _weighed(source.candidate, meant, only=only_in_trajectory)
        confidence = confidence_in(subject, confidence)
        share = percent(source.candidate.share_of_source)
        return self.about.finding(
            subject,
            f"{where} {share} of {entry.name}{by}{spread}.{others}",
            *evidence,
            severity=severity,
            confidence=confidence,
        )

    def _passages(
        self,
        among: Asked,
        file: _File,
        source: _Source,
        meant: Significance,
        *,
        only_in_trajectory: bool,
    ) -> CopiedPassages:
        corpus, number = among.corpus, source.candidate.document
        entry = corpus.entry(number)
        alone = corpus.shared(file.kept, entry.competition)
        place = int(np.searchsorted(alone.documents, number))
        return copied_passages(
            file.document,
            entry,
            corpus.document(number),
            alone.candidate(place),
            rarity=corpus.rarity_of(file.print.hashes, entry.competition),
            significance=meant,
            only_in_trajectory=only_in_trajectory,
        )


def _hashed(documents: Sequence[Document]) -> list[_File]:
    prints = [fingerprint(d.code, d.language) for d in documents]
    return [_File(d, p, p.kept) for d, p in zip(documents, prints, strict=True)]


def _holding(files: Sequence[_File], source: _Source) -> list[_File]:
    """Return the files that hold most of what is shared, the best first."""
    counts = [len(np.intersect1d(f.kept, source.shared)) for f in files]
    order = sorted(range(len(files)), key=lambda i: -counts[i])
    enough = [i for i in order if counts[i] > _MINOR * len(source.shared)]
    return [files[i] for i in (enough or order[:1])[:_FILES_SHOWN]]


def _weighed(
    candidate: Candidate, meant: Significance, *, only: bool
) -> tuple[Severity, Confidence]:
    """Weigh a match: a whole solution that honest ones never share is grave and sure.

    A part proves little where nobody can say what honest solutions share.
    """
    if only or (meant.p is None and candidate.score < _MOSTLY):
        return Severity.MEDIUM, Confidence.LOW
    whole = candidate.share_of_source >= _WHOLE and candidate.n_shared >= _LONG
    if whole and meant.p is not None and meant.p <= _SURE:
        return Severity.HIGH, Confidence.HIGH
    if candidate.share_of_source >= _MOSTLY:
        return Severity.HIGH, Confidence.MEDIUM
    return Severity.MEDIUM, Confidence.MEDIUM


_WHOLE, _MOSTLY = 0.9, 0.5  # shares of a source
_ENOUGH_OWN = 0.8  # of the hashes that must agree, less those that chance explains
_LONG = 50  # kept hashes: about 200 tokens
_SURE = 1e-3
