"""An opened corpus: which of its documents a text shares most with, and what they say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.plagiarism.corpus.layout import SUBMISSIONS, Card, read_card
from detectors.plagiarism.corpus.pieces import Pieces, unpacked
from detectors.plagiarism.corpus.postings import Postings, rarity, weights_of
from detectors.plagiarism.corpus.ranking import TINY, Found, Shared, highest
from detectors.plagiarism.corpus.soundness import sound
from detectors.plagiarism.fingerprints import kept, text_hash
from reports.provenance import Mark, provenance_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.plagiarism.corpus.postings import Lists, Weights
    from detectors.plagiarism.corpus.ranking import Candidate
    from detectors.plagiarism.documents import Document
    from detectors.plagiarism.fingerprints import Fingerprint
    from reports.provenance import Provenance

# Hashes of average weight that a document must share before its share counts in full: all of
# three hashes prove less than half of three hundred.
PRIOR = 6.0


class Entry(NamedTuple):
    """What a corpus knows of a document without reading its text."""

    number: int
    name: str
    competition: str
    language: str
    digest: str
    n_tokens: int
    marks: tuple[tuple[str, str], ...]
    raw_provenance: dict[str, Any]

    @property
    def provenance(self) -> Provenance:
        """Author, address, date, votes and licence, as far as they are known."""
        return provenance_of(self.raw_provenance)


class PublicSubmission(NamedTuple):
    """A public submission file that the corpus keeps."""

    path: Path
    name: str
    raw_provenance: dict[str, Any]

    @property
    def provenance(self) -> Provenance:
        """Author, address, date, votes and licence, as far as they are known."""
        return provenance_of(self.raw_provenance)


@dataclass(frozen=True)
class Channel:
    """The index of the code, or of the prose, of all documents."""

    postings: Postings
    masses: NDArray[np.float32]
    sizes: NDArray[np.uint32]
    base: NDArray[np.uint64]

    @classmethod
    def open(cls, folder: Path, name: str) -> Channel:
        """Map the files of a channel."""
        return cls(
            Postings.open(folder, name),
            np.fromfile(folder / f"{name}.masses", np.float32),
            np.fromfile(folder / f"{name}.sizes", np.uint32),
            np.fromfile(folder / f"{name}.base", np.uint64),
        )


@dataclass(frozen=True, eq=False)  # one folder may hold another corpus later
class Corpus:
    """A corpus, opened for reading.

    Parameters
    ----------
    folder : Path
        Its folder.
    card : Card
        What it holds.
    """

    folder: Path
    card: Card

    @classmethod
    def open(cls, folder: Path | str) -> Corpus:
        """Open a corpus; one that was opened before and has not changed is the same object.

        Raises
        ------
        CorpusError
            When there is none, it is broken, or another version wrote it.
        """
        place = Path(folder)
        return _opened(place.resolve(), repr(read_card(place)))

    @property
    def _generation(self) -> Path:
        return self.folder / self.card.generation

    @property
    def digest(self) -> str:
        """Names all that the corpus was built from."""
        return self.card.generation.rpartition("-")[2]

    @property
    def n_documents(self) -> int:
        """How many documents it holds."""
        return sum(n for _, n in self.card.competitions)

    @property
    def competitions(self) -> tuple[str, ...]:
        """Ids of the competitions it knows."""
        return tuple(c for c, _ in self.card.competitions if c)

    @cached_property
    def bounds(self) -> NDArray[np.int64]:
        """The first document of each competition of the card, and the number of documents."""
        return np.cumsum([0, *(n for _, n in self.card.competitions)])

    def docs_of(self, competition: str | None) -> range:
        """Return the numbers of a competition's documents; of all when None."""
        if competition is None:
            return range(self.n_documents)
        for i, (name, _) in enumerate(self.card.competitions):
            if name == competition:
                return range(int(self.bounds[i]), int(self.bounds[i + 1]))
        return range(0)

    @sound
    def entry(self, document: int) -> Entry:
        """Return what is known of a document."""
        told = json.loads(self._entries[document])
        return Entry(
            document,
            told["name"],
            told["competition"],
            told["language"],
            told["digest"],
            told["n_tokens"],
            tuple((what, value) for what, value in told["marks"]),
            told["provenance"],
        )

    @sound
    def document(self, number: int) -> Document:
        """Return a document with its text."""
        from detectors.plagiarism.documents import Document

        entry = self.entry(number)
        code, prose, cells, notes = unpacked(self._texts[number])
        return Document(
            name=entry.name,
            language=entry.language,  # type: ignore[arg-type]  # as `write_shard` wrote it
            code=code,
            prose=prose,
            cell_starts=cells,
            marks=tuple(Mark(what=what, value=value) for what, value in entry.marks),
            provenance=entry.provenance,
            notes=notes,
        )

    def candidates(
        self, fingerprint: Fingerprint, competition: str | None = None, most: int = 20
    ) -> list[Candidate]:
        """Return the documents whose code a text shares most of, best first.

        Parameters
        ----------
        competition : str, optional
            Compare with the documents of this competition only.
        """
        return self.candidates_of(fingerprint.kept, competition, most)

    def candidates_of(
        self,
        hashes: NDArray[np.uint64],
        competition: str | None = None,
        most: int = 20,
        channel: str = "code",
    ) -> list[Candidate]:
        """Return the documents that share most with a set of kept hashes, best first.

        Parameters
        ----------
        hashes : ndarray of uint64, sorted
            As `fingerprints.kept` gives them.
        """
        shared = self.shared(hashes, competition, channel)
        return [shared.candidate(int(i)) for i in highest(shared.scores, most)]

    def prose_candidates(
        self, hashes: NDArray[np.uint64], competition: str | None = None, most: int = 20
    ) -> list[Candidate]:
        """Return the documents whose prose a text shares most of; hashes of all its shingles."""
        return self.candidates_of(kept(hashes), competition, most, "prose")

    @sound
    def shared(
        self, hashes: NDArray[np.uint64], competition: str | None = None, channel: str = "code"
    ) -> Shared:
        """Compare a set of kept hashes with every document that holds any of them."""
        index = self._channels[channel]
        if len(index.base):
            hashes = hashes[~np.isin(hashes, index.base)]
        among = self.docs_of(competition)
        short, long = index.postings.lists(hashes, among.start, among.stop)
        hits = index.postings.read(short, among.start, among.stop)
        weights = weights_of(hits, self.bounds)
        places = hits.documents - among.start
        counts = np.bincount(places)  # faster than sorting: few of a corpus hold none
        matched = np.asarray(np.bincount(places, weights.of_each), np.float64)
        held = np.flatnonzero(counts)
        found = Found(held + among.start, matched[held], counts[held])
        if len(long.wanted):
            found = found.best(index.masses)
        of_file = self._weight_of_file(len(hashes), weights, found.documents)
        if len(long.wanted):
            found, of_file = self._completed(found, of_file, long, index.postings)
        masses = index.masses[found.documents].astype(np.float64)
        typical = masses / np.maximum(index.sizes[found.documents], 1)
        return Shared(
            found.documents,
            np.minimum(1.0, found.matched / np.maximum(masses + PRIOR * typical, TINY)),
            np.minimum(1.0, found.matched / np.maximum(masses, TINY)),
            np.minimum(1.0, found.matched / np.maximum(of_file, TINY)),
            found.counts,
        )

    def _completed(
        self, found: Found, of_file: NDArray[np.float64], long: Lists, postings: Postings
    ) -> tuple[Found, NDArray[np.float64]]:
        """Add what the best documents share in hashes that many hold; few of them are asked."""
        place = np.searchsorted(self.bounds, found.documents, "right")
        edges, where = np.unique(np.stack([place - 1, place]), return_inverse=True)
        first, last = where.reshape(2, -1)
        edges = self.bounds[edges]
        holds = np.empty((len(long.wanted), len(found.documents)), bool)
        before = np.empty((len(long.wanted), len(edges)), np.int64)
        postings.documents.ask_for(long.begin, long.end)
        for i, (begin, end) in enumerate(zip(long.begin, long.end, strict=True)):
            holds[i], before[i] = postings.counted(begin, end, found.documents, edges)
        n_holding, sizes = before[:, last] - before[:, first], edges[last] - edges[first]
        alone = rarity(np.ones_like(sizes), sizes)
        weights = np.where(n_holding > 0, rarity(np.maximum(n_holding, 1), sizes), alone)
        matched = found.matched + np.where(holds, weights, 0).sum(0)
        # of the file's weight each was taken for a hash that nobody holds
        of_file = of_file + (weights - alone).sum(0)
        return Found(found.documents, matched, found.counts + holds.sum(0)), of_file

    @sound
    def rarity_of(
        self, hashes: NDArray[np.uint64], competition: str | None = None, channel: str = "code"
    ) -> NDArray[np.float64]:
        """Say how rare each run of a text is among a competition's documents.

        Parameters
        ----------
        hashes : ndarray of uint64, shape (n,)
            All of them, in the order of the text.

        Returns
        -------
        ndarray of float, shape (n,), values in [0, 1]
            1 for what one document holds or none, 0 for what all hold and for base code. What the
            index does not keep is as rare as the nearest runs that it keeps.
        """
        index = self._channels[channel]
        among = self.docs_of(competition)
        unique = kept(hashes)
        counts = index.postings.numbers(unique, among.start, among.stop)
        most = np.log(len(among) + 1)
        rare = np.log((len(among) + 1) / np.maximum(counts, 1)) / most
        rare[np.isin(unique, index.base)] = 0
        places = np.flatnonzero(np.isin(hashes, unique))
        if not len(places):
            return np.ones(len(hashes))
        known = rare[np.searchsorted(unique, hashes[places])]
        spread: NDArray[np.float64] = np.interp(np.arange(len(hashes)), places, known)
        return spread

    def _weight_of_file(
        self, n_hashes: int, weights: Weights, documents: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Weigh a text's own hashes among each document's competition; what nobody holds most."""
        sizes = np.diff(self.bounds)
        n_held = np.bincount(weights.competitions, minlength=len(sizes))
        held = np.bincount(weights.competitions, weights.of_group, minlength=len(sizes))
        whole = held + (n_hashes - n_held) * rarity(np.ones_like(sizes), sizes)
        of_each: NDArray[np.float64] = whole[np.searchsorted(self.bounds, documents, "right") - 1]
        return of_each

    @sound
    def marks(self, value: str) -> tuple[int, ...]:
        """Return the documents that carry a mark of origin; those of base code are nobody's."""
        wanted = np.array([text_hash(value)], np.uint64)
        if np.isin(wanted, self._base_marks)[0]:
            return ()
        found = self._mark_postings.hits(wanted, 0, self.n_documents).documents
        carried = (self.entry(int(d)) for d in found)
        return tuple(e.number for e in carried if any(v == value for _, v in e.marks))

    def submissions(self, competition: str) -> tuple[PublicSubmission, ...]:
        """Return the public submission files of a competition."""
        return tuple(
            PublicSubmission(
                self.folder / SUBMISSIONS / f"{told['sha256']}.csv",
                told["name"],
                told.get("provenance", {}),
            )
            for told in self.card.submissions
            if told["competition"] == competition
        )

    @cached_property
    def null_scores(self) -> NDArray[np.float32]:
        """Each document's best score against other authors of its competition; NaN: not asked."""
        return np.fromfile(self._generation / "null.scores", np.float32)

    @cached_property
    def _channels(self) -> dict[str, Channel]:
        return {name: Channel.open(self._generation, name) for name in ("code", "prose")}

    @cached_property
    def _base_marks(self) -> NDArray[np.uint64]:
        return np.fromfile(self._generation / "marks.base", np.uint64)

    @cached_property
    def _mark_postings(self) -> Postings:
        return Postings.open(self._generation, "marks")

    @cached_property
    def _entries(self) -> Pieces:
        return Pieces(self._generation, "entries")

    @cached_property
    def _texts(self) -> Pieces:
        return Pieces(self._generation, "texts")


@lru_cache(maxsize=8)
def _opened(folder: Path, card: str) -> Corpus:
    """Open a corpus; its card tells one state of the folder from another."""
    del card
    return Corpus(folder, read_card(folder))
