"""What a mark of origin proves: which documents carry it, and whether it is anybody's."""

from __future__ import annotations

import re
from datetime import date
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from detectors.plagiarism.code_marks import code_marks

if TYPE_CHECKING:
    from detectors.plagiarism.corpus.index import Corpus, Entry
    from reports.schema import Mark

MAX_ADDRESSES = 50_000  # documents of a competition whose addresses are read
_TEMPLATE_SHARE = 0.2  # of a competition's documents
_TEMPLATE_COMPETITIONS = 3
_TOO_MANY = 1_000  # documents with one mark
_MIN_NAME = 5  # letters of an author's name that tells anything
_NOBODY = frozenset(
    {
        "author",
        "myself",
        "yourname",
        "unknown",
        "anonymous",
        "admin",
        "kaggle",
        "student",
        "jupyter",
    }
)
_LETTERS = re.compile(r"[\W_]+")


class Kind(Enum):
    """What sort of mark it is, the surest first."""

    DRAWN = "drawn"
    AUTHOR = "author"
    ADDRESS = "address"
    TEMPLATE = "template"
    NOTHING = "nothing"

    @property
    def whats(self) -> frozenset[str]:
        """Which marks it stands for."""
        drawn = frozenset({"cell guid", "kernel metadata"})
        return drawn if self in {Kind.DRAWN, Kind.TEMPLATE} else frozenset({self.value})

    def told(self, n_shared: int, n_in_file: int) -> str:
        """Say what is shared, up to the name of the document."""
        drawn = f"carries {n_shared} of its {n_in_file} marks that are written once"
        return {
            Kind.DRAWN: f"{drawn} (ids of cells, times of runs), which stand in",
            Kind.TEMPLATE: f"{drawn}, which many documents of the corpus carry, such as",
            Kind.AUTHOR: "names as its author whoever wrote",
            Kind.ADDRESS: "names the address of",
            Kind.NOTHING: "shares nothing with",
        }[self]


class Carriers:
    """The marks of a corpus, asked about one attempt.

    Parameters
    ----------
    competition : str
        Whose solutions' addresses count.
    max_carriers : int
        See `shared_provenance.SharedProvenance`.
    """

    def __init__(self, corpus: Corpus, competition: str, max_carriers: int) -> None:
        self.corpus = corpus
        self.competition = competition
        self.max_carriers = max_carriers
        self._entries: dict[int, Entry] = {}

    def entry(self, number: int) -> Entry:
        """Return what is known of a document."""
        if number not in self._entries:
            self._entries[number] = self.corpus.entry(number)
        return self._entries[number]

    def age(self, number: int) -> tuple[date, int, int]:
        """Return what orders documents: the oldest first, then those with the most votes."""
        told = self.entry(number).provenance
        return told.created or date.max, -(told.votes or 0), number

    def of(self, mark: Mark) -> tuple[Kind, frozenset[int]]:
        """Say what a mark proves, and of which documents; of none where it proves nothing."""
        if mark.what == "address":
            return Kind.ADDRESS, self._by_address.get(mark.value, frozenset())
        if mark.what == "author":
            return Kind.AUTHOR, self._by_author(mark.value)
        if mark.what == "kernel metadata" and mark.value.startswith("kernel "):
            return Kind.NOTHING, frozenset()  # a name of an environment, which many may choose
        numbers = frozenset(self.corpus.marks(mark.value))
        return (Kind.TEMPLATE if self._is_template(numbers) else Kind.DRAWN), numbers

    def _is_template(self, numbers: frozenset[int]) -> bool:
        if len(numbers) <= self.max_carriers:
            return False
        if len(numbers) > _TOO_MANY:
            return True
        entries = [self.entry(n) for n in numbers]
        authors = {e.provenance.author or e.name for e in entries}
        competitions = {e.competition for e in entries}
        if len(authors) <= self.max_carriers:
            return False
        n_documents = sum(len(self.corpus.docs_of(c)) for c in competitions)
        is_common = len(numbers) > _TEMPLATE_SHARE * n_documents
        return is_common or len(competitions) >= _TEMPLATE_COMPETITIONS

    def _by_author(self, name: str) -> frozenset[int]:
        """Return the documents that carry an author's name and are that author's own."""
        plain = _plain(name)
        if len(plain) < _MIN_NAME or plain in _NOBODY:
            return frozenset()
        return frozenset(n for n in self.corpus.marks(name) if _is_by(self.entry(n), plain))

    @cached_property
    def _by_address(self) -> dict[str, frozenset[int]]:
        """Documents of the competition by the address they were published at."""
        found: dict[str, frozenset[int]] = {}
        for number in self.corpus.docs_of(self.competition)[:MAX_ADDRESSES]:
            url = self.corpus.entry(number).raw_provenance.get("url")
            for mark in code_marks(str(url)) if url else ():
                if mark.what == "address":
                    found[mark.value] = found.get(mark.value, frozenset()) | {number}
        return found


def _is_by(entry: Entry, name: str) -> bool:
    """Say whether a document is by an author, by its provenance: the name or the address."""
    author = _plain(entry.provenance.author or "")
    if author and (author in name or name in author) and len(author) >= _MIN_NAME:
        return True
    url = entry.provenance.url or ""
    return any(len(part) >= _MIN_NAME and _plain(part) == name for part in url.split("/"))


def _plain(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return _LETTERS.sub("", name.casefold())
