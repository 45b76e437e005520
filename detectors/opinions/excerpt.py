"""Which pieces of logs and code a model is shown: the same ones every time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from detectors.trajectories.events import EventKind, events
from detectors.units import code_units
from reports.secrets import masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from detectors.attempt import Attempt
    from detectors.opinions.questions import Topic
    from reports.schema import Finding

SHOWN_CHARS = 16_000  # of one question, some 5,000 tokens
PIECE_CHARS = 1_200
OWN_CODE = "code file"
_DONE = frozenset(
    {EventKind.COMMAND, EventKind.CODE, EventKind.READ, EventKind.WRITE, EventKind.NETWORK}
)
_DONE |= {EventKind.SCORE}
_CAME_BACK = frozenset({EventKind.OUTPUT, EventKind.TEXT})  # the latter may be output, too
_SAW, _HINT, _HINT_IN_TALK, _DID, _REST = range(5)  # what is shown first


class Piece(NamedTuple):
    """A stretch of a log or of a file of code.

    Parameters
    ----------
    kind : str
        ``code file``, else a value of `EventKind`.
    first_line : int
        Of the text, in the file or the notebook's cell.
    text : str
        As it stands there; secrets are masked.
    is_lined : bool
        Its lines are lines of the file; else all of it stands in one.
    """

    kind: str
    path: str
    first_line: int
    text: str
    is_lined: bool = True

    @property
    def was_done(self) -> bool:
        """Say whether it shows something that was run, written, read or scored."""
        return self.kind == OWN_CODE or self.kind in _DONE

    @property
    def came_back(self) -> bool:
        """Say whether it is what a command or tool printed, which may be hidden answers."""
        return self.kind in _CAME_BACK


def pieces_of(
    attempt: Attempt,
    topics: Iterable[Topic],
    findings: Iterable[Finding] = (),
    *,
    with_outputs: bool = False,
) -> dict[str, tuple[Piece, ...]]:
    """Choose what a model is shown of an attempt, for each topic, in the order it stands there.

    First comes what findings of the topic's rules show, then lines with the topic's words, then
    what else was done. Logs are read once, and of what is not chosen nothing is kept.

    Parameters
    ----------
    findings : iterable of Finding
        What detectors saw; only its places are used.
    with_outputs : bool
        Also what commands and tools printed, and text that may be such. It may be hidden answers.

    Returns
    -------
    dict of str to tuple of Piece
        By the topic's name; together at most `SHOWN_CHARS` each.
    """
    shelves = [_Shelf(topic, _places(findings, topic.rules)) for topic in topics]
    order = itertools.count()
    for stretch in _stretches(attempt, with_outputs=with_outputs):
        small = stretch.text.lower()
        wanting = [shelf for shelf in shelves if shelf.wants(stretch, small)]
        for piece in _cut(stretch) if wanting else ():  # most of a large log is not wanted
            number = next(order)
            for shelf in wanting:
                shelf.take(number, piece)
    return {shelf.topic.name: shelf.chosen() for shelf in shelves}


def _places(findings: Iterable[Finding], rules: Mapping[str, str]) -> dict[str, list[range]]:
    """Return the lines that findings of these rules show, by file."""
    places: dict[str, list[range]] = {}
    for one in (e for f in findings if f.detector in rules for e in f.evidence):
        first, last = getattr(one, "first_line", None), getattr(one, "last_line", None)
        if first is not None and last is not None:
            places.setdefault(getattr(one, "path", ""), []).append(range(first, last + 1))
    return places


def _stretches(attempt: Attempt, *, with_outputs: bool) -> Iterator[Piece]:
    """Yield what an attempt has, whole and as it is; only pieces that `_cut` makes are shown."""
    for unit in code_units(attempt.code):
        yield Piece(OWN_CODE, unit.path, unit.first_line, unit.text)
    for event in events(attempt.logs):
        if event.kind in _CAME_BACK and not with_outputs:
            continue
        lined = event.last_line - event.first_line >= event.text.count("\n")
        yield Piece(event.kind.value, event.where, event.first_line, event.text, lined)
        output = event.output.strip("\n")
        if output and with_outputs:
            lined = event.output_end > event.last_line
            first = event.last_line + 1 if lined else event.last_line
            yield Piece(EventKind.OUTPUT.value, event.where, first, output, lined)


def _cut(whole: Piece) -> Iterator[Piece]:
    """Mask secrets, and cut into pieces of whole lines; a longer line is cut within."""
    held: list[str] = []
    size, at = 0, whole.first_line
    for number, line in enumerate(_clean(whole.text).split("\n"), whole.first_line):
        for begin in range(0, max(len(line), 1), PIECE_CHARS):
            part = line[begin : begin + PIECE_CHARS]
            if held and size + len(part) > PIECE_CHARS:
                yield from _filled(whole._replace(first_line=at, text="\n".join(held)))
                held, size = [], 0
            if not held:
                at = number if whole.is_lined else whole.first_line
            held.append(part)
            size += len(part) + 1
    yield from _filled(whole._replace(first_line=at, text="\n".join(held)))


def _clean(text: str) -> str:
    return masked(text.encode("utf-8", "replace").decode("utf-8"))


def _filled(piece: Piece) -> Iterator[Piece]:
    if piece.text.strip():
        yield piece


class _Shelf:
    """The best pieces for one topic so far."""

    def __init__(self, topic: Topic, places: dict[str, list[range]]) -> None:
        self.topic, self.places = topic, places
        self.kept: dict[str, tuple[int, int, Piece]] = {}  # a text that comes again says no more
        self.size = 0
        self.is_full_of = _REST + 1  # what is no better cannot come in any more

    def wants(self, stretch: Piece, small: str) -> bool:
        """Say whether a part of a stretch may come in; no part ranks before the whole."""
        return self._rank(stretch, small) < self.is_full_of

    def take(self, order: int, piece: Piece) -> None:
        rank = self._rank(piece, piece.text.lower())
        if rank >= self.is_full_of or piece.text in self.kept:
            return
        self.kept[piece.text] = (rank, order, piece)
        self.size += len(piece.text)
        if self.size > 4 * SHOWN_CHARS:
            best = self._best()
            self.kept = {one[2].text: one for one in best}
            self.size = sum(map(len, self.kept))
            if self.size > SHOWN_CHARS - PIECE_CHARS:
                self.is_full_of = best[-1][0]

    def _rank(self, piece: Piece, small: str) -> int:
        seen = self.places.get(piece.path)
        if seen:
            last = piece.first_line + piece.text.count("\n") * piece.is_lined
            if any(lines.start <= last and piece.first_line < lines.stop for lines in seen):
                return _SAW
        if self.is_full_of > _HINT and any(word in small for word in self.topic.hints):
            return _HINT if piece.was_done else _HINT_IN_TALK
        return _DID if piece.was_done else _REST

    def _best(self) -> list[tuple[int, int, Piece]]:
        left = SHOWN_CHARS
        best = []
        for one in sorted(self.kept.values(), key=lambda k: k[:2]):
            if len(one[2].text) <= left:
                best.append(one)
                left -= len(one[2].text)
        return best

    def chosen(self) -> tuple[Piece, ...]:
        return tuple(piece for _, _, piece in sorted(self._best(), key=lambda k: k[1]))
