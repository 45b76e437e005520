"""Plots of copies as SVG text: a heat map of copies against sources, a group as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from reports.copy_words import percent, probability
from reports.words import counted, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from reports.copies import Grid, Group, Node, Pair

LEVELS: Final = "abcde"  # a fifth of what can be shared each
SCALE: Final = tuple(
    zip(LEVELS, ("to 20 %", "to 40 %", "to 60 %", "to 80 %", "to 100 %"), strict=True)
)
MAX_NODES: Final = 12  # of one side of a graph, the strongest
_CHARACTER: Final = 7.2  # width of one character of a label at 12 px
_ROOMY: Final = 16  # columns up to which a cell has room for its number
_TITLE: Final = 90  # characters of a name in a tooltip


class Sizes(NamedTuple):
    """What a heat map is drawn with, in px."""

    cell: int
    left: int  # room for the names of the rows
    top: int  # room for the names of the columns
    has_numbers: bool


class Frame(NamedTuple):
    """How wide a graph is, and what its names have of it."""

    css: str
    width: int
    names: int


LARGE: Final = Frame("large-screen", 860, 300)
SMALL: Final = Frame("small-screen", 340, 132)
_ROW: Final = 30  # height of one node of a graph


def level(share: float) -> str:
    """Name the step of the scale that a share lies on.

    Examples
    --------
    >>> level(0), level(0.2), level(0.999), level(1)
    ('a', 'b', 'e', 'e')
    """
    return LEVELS[min(int(share * len(LEVELS)), len(LEVELS) - 1)]


def told(pair: Pair) -> str:
    """Say in one line what a pair shares, for a tooltip."""
    names = f"{_cut(pair.copy.label, _TITLE)} and {_cut(pair.source.label, _TITLE)}"
    if pair.share is None:
        marks = sum(m.n_shared for m in pair.marks)
        return f"{names}: {counted(marks, 'mark')} of origin shared, no text"
    what = "of the source" if pair.strongest else "of the submission"
    p = f", p {probability(pair.p)}" if pair.p is not None else ""
    return f"{names}: {percent(pair.share)} {what}{p}"


def heat_map(grid: Grid, href: Callable[[Pair], str], name: str) -> str:
    """Draw how much each copy shares with each source; a cell leads to its finding.

    Parameters
    ----------
    href : function
        Gives the fragment of the page that a pair leads to.
    name : str
        Makes the id of its title unique in the page.

    Returns
    -------
    str
        Two ``<svg>`` elements, the names of the columns apart so that they can stay in sight.
        Where only marks of origin are shared, a cell holds a dot.
    """
    sizes = _sizes(grid)
    right = sizes.left + sizes.cell * len(grid.columns)
    bottom = sizes.cell * len(grid.rows)
    parts = [_row_names(grid, sizes), _lattice(grid, sizes, right, bottom)]
    for y, row in enumerate(grid.rows):
        for x, column in enumerate(grid.columns):
            if pair := grid.cells.get((row.key, column.key)):
                place = sizes.left + x * sizes.cell, y * sizes.cell
                parts.append(_cell(pair, place, sizes, href(pair)))
    sides = ("sources", "copies") if grid.rows_are_sources else ("copies", "sources")
    title = f"Share copied: {len(grid.rows)} {sides[0]} down, {len(grid.columns)} {sides[1]} across"
    return (
        f'<svg class="heat heat-head" viewBox="0 0 {right + 8} {sizes.top}" width="{right + 8}" '
        f'height="{sizes.top}" aria-hidden="true">{_column_names(grid, sizes)}</svg>'
        f'<svg class="heat" viewBox="0 0 {right + 8} {bottom + 4}" width="{right + 8}" '
        f'height="{bottom + 4}" role="group" aria-labelledby="{name}-t">'
        f'<title id="{name}-t">{title}</title>{"".join(parts)}</svg>'
    )


def _sizes(grid: Grid) -> Sizes:
    roomy = len(grid.columns) <= _ROOMY
    longest = [
        max((len(visible(n.label[:60])) for n in nodes), default=1)
        for nodes in (grid.rows, grid.columns)
    ]
    left, top = (
        int(min(n, most) * _CHARACTER) + 14 for n, most in zip(longest, (30, 26), strict=True)
    )
    return Sizes(34 if roomy else 14, left, top, roomy)


def _row_names(grid: Grid, sizes: Sizes) -> str:
    """Write the names beside the rows."""
    half = sizes.cell / 2 + 4
    return "".join(
        _name(node, (sizes.left - 6, i * sizes.cell + half), 30, 'text-anchor="end"')
        for i, node in enumerate(grid.rows)
    )


def _column_names(grid: Grid, sizes: Sizes) -> str:
    """Write the names above the columns, turned."""
    parts = []
    for i, node in enumerate(grid.columns):
        x, y = sizes.left + i * sizes.cell + sizes.cell / 2 + 4, sizes.top - 6
        parts.append(_name(node, (x, y), 26, f'transform="rotate(-90 {x:g} {y:g})"'))
    return "".join(parts)


def _name(node: Node, at: tuple[float, float], most: int, more: str) -> str:
    whole = escape(visible(_cut(node.label, _TITLE)))
    shown = escape(_cut(visible(node.label[:60]), most))
    return f'<text x="{at[0]:g}" y="{at[1]:g}" {more}>{shown}<title>{whole}</title></text>'


def _lattice(grid: Grid, sizes: Sizes, right: int, bottom: int) -> str:
    """Draw the lines between the cells as one path."""
    down = (f"M{sizes.left + i * sizes.cell} 0V{bottom}" for i in range(len(grid.columns) + 1))
    across = (f"M{sizes.left} {i * sizes.cell}H{right}" for i in range(len(grid.rows) + 1))
    return f'<path class="lattice" d="{"".join(down)}{"".join(across)}"/>'


def _cell(pair: Pair, place: tuple[int, int], sizes: Sizes, href: str) -> str:
    (x, y), size = place, sizes.cell
    title = f"<title>{escape(visible(told(pair)))}</title>"
    if pair.share is None:
        middle = f'cx="{x + size / 2:g}" cy="{y + size / 2:g}"'
        drawn = f'<circle class="dot" {middle} r="{size / 5:g}">{title}</circle>'
    else:
        drawn = (
            f'<rect class="heat-{level(pair.share)}" x="{x + 1}" y="{y + 1}" width="{size - 1}" '
            f'height="{size - 1}">{title}</rect>'
        )
        if sizes.has_numbers:
            css, at, base = f"on-{level(pair.share)}", x + size / 2, y + size / 2 + 4
            drawn += (
                f'<text class="{css}" x="{at:g}" y="{base:g}" text-anchor="middle">'
                f"{100 * pair.share:.0f}</text>"
            )
    # Out of the order of the tab key, which would stop at every cell: the table has the same links.
    return f'<a href={quoteattr(visible(href))} tabindex="-1">{drawn}</a>'


def graph(group: Group, name: str, frame: Frame = LARGE) -> str:
    """Draw copies on the left, sources on the right, a line for each verified pair.

    Parameters
    ----------
    name : str
        Makes the ids of title and description unique in the page.

    Returns
    -------
    str
        One ``<svg>`` element; the wider a line, the more is shared.
    """
    copies, sources = group.copies[:MAX_NODES], group.sources[:MAX_NODES]
    height = _ROW * max(len(copies), len(sources)) + 26
    ends = frame.names, frame.width - frame.names
    at = {("copy", n.key): _middle(i, len(copies), height) for i, n in enumerate(copies)}
    at |= {("source", n.key): _middle(i, len(sources), height) for i, n in enumerate(sources)}
    lines = [
        _edge(pair, (at["copy", pair.copy.key], at["source", pair.source.key]), ends)
        for pair in reversed(group.pairs)  # the strongest lies on top
        if ("copy", pair.copy.key) in at and ("source", pair.source.key) in at
    ]
    most = int(frame.names / _CHARACTER) - 2
    heads = (
        f'<text class="head" x="{ends[0] - 8}" y="12" text-anchor="end">copies</text>'
        f'<text class="head" x="{ends[1] + 8}" y="12">sources</text>'
    )
    names = [
        _name(n, (ends[0] - 8, at["copy", n.key] + 4), most, 'text-anchor="end"') for n in copies
    ] + [_name(n, (ends[1] + 8, at["source", n.key] + 4), most, "") for n in sources]
    dots = "".join(
        f'<circle class="node" cx="{ends[side == "source"]}" cy="{y:g}" r="4"/>'
        for (side, _), y in at.items()
    )
    said = (
        f"{counted(len(group.copies), 'copy', 'copies')}, {counted(len(group.sources), 'source')}, "
        f"{counted(len(group.pairs), 'pair')}; the list below names them"
    )
    return (
        f'<svg class="graph {frame.css}" viewBox="0 0 {frame.width} {height}" '
        f'width="{frame.width}" height="{height}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">Who shares with whom</title><desc id="{name}-d">{said}</desc>'
        f"{''.join(lines)}{dots}{heads}{''.join(names)}</svg>"
    )


def _middle(i: int, count: int, height: int) -> float:
    """Give the height of one of some nodes, spread over the whole."""
    return round(22 + (i + 0.5) * (height - 22) / count, 1)


def _edge(pair: Pair, y: tuple[float, float], x: tuple[int, int]) -> str:
    width = 1.5 + 6 * (pair.share or 0)
    bend = (x[0] + x[1]) / 2
    path = f"M{x[0]} {y[0]:g}C{bend:g} {y[0]:g} {bend:g} {y[1]:g} {x[1]} {y[1]:g}"
    css = "edge" if pair.share is not None else "edge marks"
    return (
        f'<path class="{css}" d="{path}" stroke-width="{width:.1f}">'
        f"<title>{escape(visible(told(pair)))}</title></path>"
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
