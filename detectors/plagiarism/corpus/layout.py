"""Where the parts of a corpus lie, and what its card says.

::

    corpus/
      corpus.json          the card: scheme of hashing, competitions, the generation that counts
      generation-<digest>/ index, entries and texts; written whole, then named in the card
      submissions/         public submission files, by their sha256
      .lock                held while the corpus is changed

Whoever reads a generation keeps its files open while another is written, so readers never wait.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from competitions.errors import CorpusError
from detectors.plagiarism import fingerprints
from detectors.plagiarism.corpus.soundness import REBUILD, see_fit
from detectors.plagiarism.prose import PROSE_VERSION

if TYPE_CHECKING:
    from pathlib import Path

CARD = "corpus.json"
LOCK = ".lock"
SUBMISSIONS = "submissions"
GENERATION = "generation-"  # begins the name of the folder with the index
FORMAT = 1
CHANNELS = ("code", "prose")  # what documents say
_DIGEST = re.compile(r"[0-9a-f]{64}")
SCHEME = {**fingerprints.SCHEME, "prose": PROSE_VERSION}


@dataclass(frozen=True)
class Card:
    """What ``corpus.json`` holds.

    Parameters
    ----------
    generation : str
        Folder of the index that counts; named by the digest of all it was built from.
    competitions : tuple of (str, int)
        Ids with the number of their documents, in the order in which documents are numbered. The
        empty id stands for documents of no known competition.
    submissions : tuple of dict
        Public submission files: competition, name, sha256, provenance.
    unread : tuple of (str, str)
        What could not be read when it was built, and why.
    """

    generation: str
    competitions: tuple[tuple[str, int], ...]
    submissions: tuple[dict[str, Any], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    scheme: dict[str, Any] = field(default_factory=lambda: dict(SCHEME))
    format: int = FORMAT


def read_card(folder: Path) -> Card:
    """Read the card of a corpus and see that this version can read the rest.

    Where somebody else changes the corpus meanwhile, the index that the card named may be gone
    before it is looked at: then there is another card.

    Raises
    ------
    CorpusError
        When there is no corpus, it is broken, or was hashed by another scheme.
    """
    before = None
    while True:
        card = _card_of(folder)
        try:
            if not (folder / card.generation).is_dir():
                told = f"{folder / CARD}: its index {card.generation!r} is not there."
                raise CorpusError(told, REBUILD)
            see_fit(folder / card.generation, sum(n for _, n in card.competitions))
        except CorpusError:
            if card == before:  # it was no other's change
                raise
            before = card
        else:
            return card


def _card_of(folder: Path) -> Card:
    """Read the card alone."""
    path = folder / CARD
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CorpusError(
            f"{folder}: expected a corpus of public solutions, found no {CARD} ({error.strerror}).",
            "Make one with: mle-audit corpus build SOURCES --competition ID -o CORPUS",
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path}: expected JSON, found: {error}.", REBUILD) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        found = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise CorpusError(f"{path}: expected format {FORMAT}, found {found!r}.", REBUILD)
    if content.get("scheme") != SCHEME:
        raise CorpusError(
            f"{path}: it was hashed by another scheme ({content.get('scheme')}); this version "
            f"hashes by {SCHEME}.",
            REBUILD,
        )
    try:
        card = Card(
            generation=str(content["generation"]),
            competitions=tuple((str(c), int(n)) for c, n in content["competitions"]),
            submissions=tuple(_told(s) for s in content.get("submissions", ())),
            unread=tuple((str(a), str(b)) for a, b in content.get("unread", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path}: broken ({error!r}).", REBUILD) from error
    if not card.generation.startswith(GENERATION) or "/" in card.generation:
        raise CorpusError(f"{path}: its index {card.generation!r} is not there.", REBUILD)
    return card


def _told(submission: dict[str, Any]) -> dict[str, Any]:
    """Return what a card tells of a submission file; the file's name must be a digest."""
    told = dict(submission)
    texts = [told["competition"], told["name"], told["sha256"]]
    if not all(isinstance(t, str) for t in texts) or not _DIGEST.fullmatch(told["sha256"]):
        raise ValueError(f"a submission named {told['sha256']!r}")
    return told
