"""Say whether an attempt's files carry marks of origin of public notebooks."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.plagiarism.against import needed_code, needed_corpus
from detectors.plagiarism.carriers import Carriers, Kind
from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.loose_code import confidence_in
from reports.schema import Confidence, Mark, Severity, SharedMarks, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.base import Subject
    from detectors.plagiarism.documents import Document
    from reports.schema import Finding

_MAX_MARKS = 2_000  # of one file that are looked up
_SHOWN = 8  # marks of one source
_SURE = 3  # ids of cells from which no accident is thinkable


class _Source(NamedTuple):
    """A document of the corpus and the marks that a file shares with it."""

    number: int
    marks: tuple[Mark, ...]
    n_others: int  # documents that share no more than it does


@register
@dataclass(frozen=True)
class SharedProvenance:
    """Ids, names and addresses that were written once and stand in a public document, too.

    Kaggle, Colab and Databricks draw an id for each cell or notebook when it is made, and copies
    keep it: one that is shared proves descent, however the text was rewritten. Ids that many
    documents carry are those of a template or a starter kit: a note. The name of an author counts
    where it is that of the document's own author, as does the address of a public solution of the
    same competition, mildly: naming a source is no offence. Libraries, data and documentation are
    nobody's.

    Parameters
    ----------
    corpus : str, default=
        Folder of the public solutions; without one the check is not available.
    competition : str, default=
        Competition whose solutions' addresses count; empty takes the attempt's own.
    max_carriers : int >= 1, default=5
        Authors who carry an id before it may be a template's; it is one where they are also more
        than a fifth of the competition's documents, or where three competitions know it.
    max_sources : int >= 1, default=5
        Documents told for each file.
    """

    about: ClassVar[About] = About(
        id="shared-provenance",
        subject=SubjectKind.ATTEMPT,
        asks="Do files carry ids, names or addresses of public notebooks?",
        blind_spots=(
            "Marks are easily removed or written otherwise, as without dashes; a script has no ids "
            "of cells, and those of a notebook within a log are not read. It knows only documents "
            "of the corpus. A shared mark tells where a file comes from, not how much of it was "
            "kept; which of two documents was first is not known where neither is dated."
        ),
        reference="https://www.kaggle.com/docs/notebooks (cells keep their ids when forked)",
        needs=frozenset({"code"}),
    )
    corpus: str = ""
    competition: str = ""
    max_carriers: int = 5
    max_sources: int = 5

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When no corpus was given; after the findings, when there is no code.
        """
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        if not self.corpus:
            needed_code(subject)
        corpus = needed_corpus(self.corpus)
        record = subject.readable_record
        named = record.competition_id if record else subject.id.rpartition("_")[0]
        carriers = Carriers(corpus, self.competition or named, self.max_carriers)
        handed_in, on_the_way = documents_of(subject)
        findings = [
            *self._findings(subject, carriers, handed_in, only_in_logs=False),
            *self._findings(subject, carriers, on_the_way, only_in_logs=True),
        ]
        yield from sorted(findings, key=lambda f: (-f.severity.rank, -f.confidence.rank))
        needed_code(subject)

    def _findings(
        self,
        subject: Attempt,
        carriers: Carriers,
        documents: Iterable[Document],
        *,
        only_in_logs: bool,
    ) -> Iterator[Finding]:
        for document in documents:
            carrying: dict[Kind, dict[Mark, frozenset[int]]] = defaultdict(dict)
            for mark in document.marks[:_MAX_MARKS]:
                kind, numbers = carriers.of(mark)
                if numbers:
                    carrying[kind][mark] = numbers
            for kind in Kind:
                for source in _sources(carriers, carrying[kind])[: self.max_sources]:
                    yield self._finding(
                        subject, carriers, document, kind, source, only_in_logs=only_in_logs
                    )

    def _finding(
        self,
        subject: Attempt,
        carriers: Carriers,
        document: Document,
        kind: Kind,
        source: _Source,
        *,
        only_in_logs: bool,
    ) -> Finding:
        entry = carriers.corpus.entry(source.number)
        n_in_file = sum(m.what in kind.whats for m in document.marks)
        by = f" by {entry.provenance.author}" if entry.provenance.author else ""
        others = (
            f" {counted(source.n_others, 'other document')} of the corpus "
            f"{'shares' if source.n_others == 1 else 'share'} them."
            if source.n_others
            else ""
        )
        severity, confidence = _weighed(kind, len(source.marks), only_in_logs=only_in_logs)
        confidence = confidence_in(subject, confidence)
        return self.about.finding(
            subject,
            f"{document.name} {kind.told(len(source.marks), n_in_file)} {entry.name}{by}.{others}",
            SharedMarks(
                path=document.name,
                source=entry.name,
                provenance=entry.provenance,
                n_shared=len(source.marks),
                n_in_file=n_in_file,
                marks=source.marks[:_SHOWN],
            ),
            severity=severity,
            confidence=confidence,
        )


def _weighed(kind: Kind, n_shared: int, *, only_in_logs: bool) -> tuple[Severity, Confidence]:
    """Weigh shared marks: what is drawn at random proves descent, the rest is a sign."""
    if kind is Kind.TEMPLATE:
        return Severity.NOTE, Confidence.MEDIUM
    if kind is Kind.DRAWN:
        if only_in_logs:
            return Severity.MEDIUM, Confidence.LOW
        return Severity.HIGH, Confidence.HIGH if n_shared >= _SURE else Confidence.MEDIUM
    if kind is Kind.AUTHOR and not only_in_logs:
        return Severity.MEDIUM, Confidence.MEDIUM
    return Severity.LOW, Confidence.LOW


def _sources(carriers: Carriers, carrying: dict[Mark, frozenset[int]]) -> list[_Source]:
    """Choose documents that explain all shared marks, those with most of them first.

    Of documents that share equally many the oldest is chosen, then the one with the most votes.
    """
    left = dict(carrying)
    sources: list[_Source] = []
    while left:
        counts = Counter(number for numbers in left.values() for number in numbers)
        most = max(counts.values())
        best = min((n for n, count in counts.items() if count == most), key=carriers.age)
        marks = tuple(mark for mark, numbers in left.items() if best in numbers)
        left = {mark: numbers for mark, numbers in left.items() if best not in numbers}
        elsewhere = {n for numbers in left.values() for n in numbers}
        sources.append(_Source(best, marks, len(set(counts) - elsewhere) - 1))
    return sources
