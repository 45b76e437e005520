"""What the HTML templates ask for about copies: texts side by side, ranking, groups, heat map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from reports import copy_plots
from reports.copies import Copies
from reports.passages import (
    COLOURS,
    MAX_REGIONS,
    Pane,
    Region,
    Side,
    matched,
    numbered,
    pane,
    regions_of,
)
from reports.places import span
from reports.schema import CopiedPassages, SharedMarks, SubmissionMix

if TYPE_CHECKING:
    from reports.copies import Grid, Group, Pair
    from reports.overview import Audited
    from reports.page import Page, Told
    from reports.schema import Finding, Passage

TEXT_BUDGET: Final = 6_000_000  # bytes of all texts side by side, with their mark-up
LEAST_TEXT: Final = 600_000  # of it, however much else there is
PAGE_BUDGET: Final = 11_000_000  # bytes of texts and of what each finding takes beside them
FINDING_BYTES: Final = 5_000  # that a finding takes
MOST_TEXT: Final = 200_000  # bytes of one text
MAX_FULL: Final = 600  # pieces of evidence with their figures; the others have a line each
MAX_SIDES: Final = 300  # pairs of texts in one page
MAX_RANKED: Final = 300  # rows of the ranking
MAX_GROUPS: Final = 20
MAX_EDGES: Final = 8  # of one group's list


class Half(NamedTuple):
    """One of two texts, with a place in the page for each of its regions."""

    title: str
    path: str
    pane: Pane
    places: dict[int, str]
    spans: dict[int, str]  # lines of its regions


class Shown(NamedTuple):
    """A passage with its number, its colour, and whether both texts show it."""

    number: int
    passage: Passage
    colour: str
    is_linked: bool


@dataclass(frozen=True)
class Sides:
    """Two texts side by side; a region of one leads to its counterpart in the other."""

    left: Half
    right: Half
    passages: tuple[Shown, ...]
    n_more: int  # passages that are only counted


class Source(NamedTuple):
    """One of several sources of a file, with its letter and colour."""

    name: str
    letter: str
    colour: str
    evidence: CopiedPassages
    anchor: str


class _Piece(NamedTuple):
    """A piece of evidence with its finding and its place in it."""

    told: Told
    i: int
    evidence: CopiedPassages


class Lead(NamedTuple):
    """Where a region of the one-way view comes from, and its place side by side."""

    source: Source
    passage: Passage
    place: str


@dataclass(frozen=True)
class OneWay:
    """A file under audit with the lines that it shares with several sources."""

    path: str
    channel: str
    pane: Pane
    sources: tuple[Source, ...]
    leads: dict[int, Lead]  # by region


class Ranked(NamedTuple):
    """A pair with the place of its gravest finding."""

    pair: Pair
    anchor: str


class Drawn(NamedTuple):
    """A group, its pictures for wide and narrow screens, and its strongest pairs."""

    group: Group
    svg: str
    pairs: list[Ranked]


class CopiesPage:
    """What one page says of copies; built once."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._copies = Copies(page.over)
        self._sides: dict[tuple[str, int], Sides] = {}

    @cached_property
    def _told(self) -> list[tuple[Audited, Told]]:
        """All findings told in full, in the order of the page."""
        over = self._page.over
        return [
            (audited, told)
            for audited in (*over.in_question, *over.others, *over.not_in_question)
            for found in self._page.told(audited).values()
            for told in found
        ]

    @cached_property
    def _full(self) -> frozenset[tuple[str, int]]:
        """The pieces of evidence that are told in full, by finding and place in it."""
        pieces = [
            (told.anchor, i)
            for _, told in self._told
            for i, e in enumerate(told.finding.evidence)
            if isinstance(e, CopiedPassages | SubmissionMix | SharedMarks)
        ]
        return frozenset(pieces[:MAX_FULL])

    @cached_property
    def _with_texts(self) -> frozenset[tuple[str, int]]:
        """The pieces of evidence whose two texts are shown."""
        pieces = [
            (told.anchor, i)
            for _, told in self._told
            for i, e in enumerate(told.finding.evidence)
            if isinstance(e, CopiedPassages) and e.passages and (e.left_text or e.right_text)
        ]
        return self._full.intersection(pieces[:MAX_SIDES])

    def is_full(self, told: Told, i: int) -> bool:
        """Tell whether the i-th piece of evidence of a finding has room for more than a line."""
        return (told.anchor, i) in self._full

    @cached_property
    def _budget(self) -> int:
        """Bytes of one text."""
        room = min(TEXT_BUDGET, PAGE_BUDGET - FINDING_BYTES * len(self._told))
        return min(MOST_TEXT, max(room, LEAST_TEXT) // (3 * len(self._with_texts) or 1))

    def sides(self, told: Told, i: int) -> Sides | None:
        """Lay out the texts of the i-th piece of evidence; None where there is no room or text."""
        key, evidence = (told.anchor, i), told.finding.evidence[i]
        if key not in self._with_texts or not isinstance(evidence, CopiedPassages):
            return None
        if key not in self._sides:
            self._sides[key] = self._lay_out(key, evidence)
        return self._sides[key]

    def _lay_out(self, key: tuple[str, int], evidence: CopiedPassages) -> Sides:
        left = self._half(key, evidence, "left")
        right = self._half(key, evidence, "right")
        both = left.pane.shown & right.pane.shown
        passages = tuple(
            Shown(n, p, COLOURS[(n - 1) % len(COLOURS)], n in both) for n, p in matched(evidence)
        )
        return Sides(left, right, passages, len(evidence.passages) - len(passages))

    def _half(self, key: tuple[str, int], evidence: CopiedPassages, side: Side) -> Half:
        regions = regions_of(evidence, side)
        if side == "left":
            title, path = "Under audit", evidence.path
            lines = numbered(evidence.left_text, evidence.left_start)
        else:
            title, path = "Held against", evidence.source
            lines = numbered(evidence.right_text, evidence.right_start)
        places = {
            r.number: self._page.place(*map(str, key), side, f"{key[0]}-{key[1]}-{side}-{r.number}")
            for r in regions
        }
        spans = {r.number: span(r.first, r.last) for r in regions}
        return Half(title, path, pane(lines, regions, self._budget), places, spans)

    def one_way(self, audited: Audited) -> list[OneWay]:
        """Give each file of a subject that passages of several sources stand in."""
        files: dict[tuple[str, str], list[_Piece]] = {}
        for found in self._page.told(audited).values():
            for told in found:
                for i, e in enumerate(told.finding.evidence):
                    if (told.anchor, i) in self._with_texts and isinstance(e, CopiedPassages):
                        files.setdefault((e.path, e.channel), []).append(_Piece(told, i, e))
        several = {k: v for k, v in files.items() if len({one.evidence.source for one in v}) > 1}
        return [self._one_way(*key, found) for key, found in several.items()]

    def _one_way(self, path: str, channel: str, found: list[_Piece]) -> OneWay:
        by_source: dict[str, _Piece] = {}
        for piece in sorted(found, key=lambda one: -one.evidence.share_of_file):
            by_source.setdefault(piece.evidence.source, piece)
        sources = tuple(
            Source(name, _letter(i), COLOURS[i % len(COLOURS)], piece.evidence, piece.told.anchor)
            for i, (name, piece) in enumerate(by_source.items())
        )
        lines: dict[int, str] = {}
        spans = []
        for source, piece in zip(sources, by_source.values(), strict=True):
            lines |= numbered(piece.evidence.left_text, piece.evidence.left_start)
            spans += [Lead(source, p, self._lead(piece, n)) for n, p in matched(piece.evidence)]
        longest = sorted(spans, key=lambda s: s.passage.left_first - s.passage.left_last)
        kept = sorted(longest[:MAX_REGIONS], key=lambda s: (*_lines(s.passage), s.source.letter))
        leads = dict(enumerate(kept, start=1))
        regions = [Region(n, *_lines(s.passage), s.source.colour) for n, s in leads.items()]
        return OneWay(path, channel, pane(lines, regions, self._budget), sources, leads)

    def _lead(self, piece: _Piece, number: int) -> str:
        """Give the place of a passage side by side, or of its finding where it is not shown."""
        sides = self.sides(piece.told, piece.i)
        shown = sides and number in sides.left.pane.shown
        return sides.left.places[number] if sides and shown else piece.told.anchor

    @property
    def n_pairs(self) -> int:
        """How many pairs of a copy and a source there are."""
        return len(self._copies.pairs)

    @cached_property
    def ranking(self) -> list[Ranked]:
        """Pairs, the strongest evidence first, up to a cap."""
        return [self._ranked(p) for p in self._copies.pairs[:MAX_RANKED]]

    @cached_property
    def _several(self) -> list[Group]:
        """Connected groups of more than one pair."""
        return [g for g in self._copies.groups if len(g.pairs) > 1]

    @property
    def n_groups(self) -> int:
        """How many connected groups of more than one pair there are."""
        return len(self._several)

    @property
    def n_alone(self) -> int:
        """How many verified pairs hang together with no other."""
        return len(self._copies.groups) - len(self._several)

    @cached_property
    def groups(self) -> list[Drawn]:
        """Connected groups with their pictures, up to a cap."""
        return [self._drawn(i, g) for i, g in enumerate(self._several[:MAX_GROUPS])]

    def _drawn(self, i: int, group: Group) -> Drawn:
        frames = copy_plots.LARGE, copy_plots.SMALL
        svg = "".join(copy_plots.graph(group, f"group_{i}_{f.css}", f) for f in frames)
        return Drawn(group, svg, [self._ranked(p) for p in group.pairs[:MAX_EDGES]])

    @property
    def grid(self) -> Grid | None:
        """The heat map's rows, columns and cells."""
        return self._copies.grid

    @cached_property
    def heat_map(self) -> str:
        """The heat map as SVG; empty where there is but one copy or source."""
        if self.grid is None:
            return ""
        return copy_plots.heat_map(self.grid, lambda p: f"#{self._ranked(p).anchor}", "heat_map")

    def cell(self, row: str, column: str) -> Ranked | None:
        """Give the pair in one cell of the grid."""
        pair = self.grid.cells.get((row, column)) if self.grid else None
        return self._ranked(pair) if pair else None

    def _ranked(self, pair: Pair) -> Ranked:
        return Ranked(pair, self._anchor(pair.findings[0]))

    def _anchor(self, finding: Finding) -> str:
        return self._anchors.get(finding.id) or self._page.anchor(finding.subject)

    @cached_property
    def _anchors(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for audited, told in self._told:
            if told.finding.id not in found or audited.subject.id == told.finding.subject:
                found[told.finding.id] = told.anchor
        return found


def _letter(i: int) -> str:
    """Name the i-th source by a letter, after Z by a number."""
    return chr(ord("A") + i) if i < 26 else str(i + 1)  # noqa: PLR2004 - letters there are


def _lines(passage: Passage) -> tuple[int, int]:
    return passage.left_first, passage.left_last
