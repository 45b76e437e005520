"""Strip plots of scores against a board, as SVG text without any script or outside asset."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from reports.words import score, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RIGHT = 24
_ROW = 40  # height of one agent's row
_LABEL = 17  # height of one row of threshold labels
_CHARACTER = 7.2  # width of one character of a label at 12 px, measured on common system fonts
_NEAR = 13  # two marks closer than this, in px, are drawn one above the other
_QUARTILES_FROM = 4  # fewer values have no quartiles worth the name
_FENCE = 6  # scores this many interquartile ranges out are drawn at the edge


class Frame(NamedTuple):
    """How wide a plot is and what fits into it; one unit is one px where it is shown in full."""

    css: str
    width: int
    left: int  # where the scale begins
    names_above: bool  # agents' names stand above their rows instead of beside them
    name: int  # characters of an agent's name
    axis: int  # characters of the axis's name
    n_ticks: int


LARGE = Frame("large-screen", 900, 132, names_above=False, name=16, axis=40, n_ticks=6)
SMALL = Frame("small-screen", 340, 16, names_above=True, name=36, axis=18, n_ticks=3)
_ABOVE = 16  # height of a name above its row


@dataclass(frozen=True)
class Mark:
    """One attempt's score.

    Parameters
    ----------
    row : str
        The agent; one row of the plot each, in order of first appearance.
    shape : str
        Its conclusion, which chooses shape and colour: a symbol ``#i-<shape>`` of the page.
    href : str
        Where the mark leads: a fragment of the page.
    """

    row: str
    label: str
    value: float
    shape: str
    href: str


@dataclass(frozen=True)
class Threshold:
    """A line of the board: a medal's threshold or the median."""

    name: str
    value: float


class Axis(NamedTuple):
    """What the scores are."""

    name: str
    is_lower_better: bool


class _Scale(NamedTuple):
    low: float
    high: float
    frame: Frame

    def x(self, value: float) -> float:
        """Horizontal place of a value; off the scale is at the edge."""
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / (self.high - self.low)
        return round(self.frame.left + share * (self.right - self.frame.left), 1)

    @property
    def right(self) -> int:
        """Where the scale ends."""
        return self.frame.width - _RIGHT


def _scale(values: Sequence[float], frame: Frame) -> _Scale:
    """Span the values, but for a few that lie so far out that they would flatten the rest."""
    low, high = min(values), max(values)
    if len(values) >= _QUARTILES_FROM:
        first, _, third = statistics.quantiles(values, n=4)
        reach = _FENCE * (third - first)
        if reach > 0:
            low, high = max(low, first - reach), min(high, third + reach)
    pad = 0.04 * (high - low) or max(abs(high) * 0.05, 1e-3)
    return _Scale(low - pad, high + pad, frame)


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Choose round numbers between two bounds.

    Examples
    --------
    >>> ticks(0.41, 1.02)
    [0.6, 0.8, 1.0]
    """
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step)
    last = math.floor(high / step)
    found = (round(i * step, 12) for i in range(first, last + 1))
    return [t for t in found if low <= t <= high]  # rounding may step over a bound


def _text(x: float, y: float, text: str, css: str, anchor: str = "start") -> str:
    shown = escape(visible(text))
    return f'<text class="{css}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{shown}</text>'


def _labels(thresholds: Iterable[Threshold], scale: _Scale, bottom: float) -> tuple[str, int]:
    """Draw the board's lines with labels that do not touch; return them and their row count."""
    ends: list[float] = []  # right end of the last label of each row
    placed = []
    for line in sorted(thresholds, key=lambda t: t.value):
        text = f"{line.name} {score(line.value)}"
        width = len(text) * _CHARACTER
        x = scale.x(line.value)
        start = min(max(x - width / 2, 2), scale.frame.width - width - 2)
        row = next((i for i, end in enumerate(ends) if end < start - 8), len(ends))
        ends[row:row + 1] = [start + width]  # fmt: skip
        placed.append((line, text, x, start + width / 2, row))
    lines, names = [], []
    for line, text, x, middle, row in placed:
        top = 14 + row * _LABEL
        lines.append(
            f'<line class="board board-{escape(line.name)}" x1="{x:g}" x2="{x:g}" '
            f'y1="{top + 4}" y2="{bottom:g}"/>'
        )
        names.append(_text(round(middle, 1), top, text, "label", "middle"))
    return "".join(lines + names), len(ends)  # names lie over the lines that cross them


def _stacked(marks: Sequence[Mark], scale: _Scale) -> list[tuple[Mark, float, int]]:
    """Give each mark of a row its place and a level, so that equal scores are all seen."""
    levels: list[float] = []
    placed = []
    for mark in sorted(marks, key=lambda m: m.value):
        x = scale.x(mark.value)
        level = next((i for i, last in enumerate(levels) if x - last >= _NEAR), len(levels))
        levels[level:level + 1] = [x]  # fmt: skip
        placed.append((mark, x, level))
    return placed


def _row(name: str, marks: Sequence[Mark], scale: _Scale, top: float, height: float) -> str:
    """Draw one agent's row: its name, a line, its marks as links."""
    frame = scale.frame
    above = _ABOVE if frame.names_above else 0
    middle = top + above + (height - above) / 2
    placed = _stacked(marks, scale)
    n_levels = 1 + max(level for _, _, level in placed)
    gap = min(_NEAR, (height - above - 14) / max(n_levels - 1, 1))
    parts = [
        f'<line class="row" x1="{frame.left}" x2="{scale.right}" y1="{middle:g}" y2="{middle:g}"/>',
        _text(frame.left, top + _ABOVE - 2, _cut(name, frame.name), "agent")
        if frame.names_above
        else _text(frame.left - 12, middle + 4, _cut(name, frame.name), "agent", "end"),
    ]
    for mark, x, level in placed:
        y = middle + (level - (n_levels - 1) / 2) * gap
        off = "" if scale.low <= mark.value <= scale.high else ", off the scale"
        label = f"{mark.label}: {score(mark.value)}{off}, {mark.shape}"
        parts.append(
            f"<a href={quoteattr(visible(mark.href))} aria-label={quoteattr(visible(label))}>"
            f'<svg class="mark {mark.shape}" x="{x - 7:g}" y="{y - 7:g}" width="14" height="14">'
            f'<title>{escape(visible(label))}</title><use href="#i-{mark.shape}"/></svg></a>'
        )
    return "".join(parts)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def strip(
    marks: Sequence[Mark],
    thresholds: Sequence[Threshold],
    *,
    name: str,
    title: str,
    axis: Axis,
    frame: Frame = LARGE,
) -> str:
    """Draw the scores of one task, a row per agent, against the lines of its board.

    Parameters
    ----------
    name : str
        Makes the ids of title and description unique in the page.
    axis : Axis
        The metric's name and which way is better.
    frame : Frame
        How wide the plot is.

    Returns
    -------
    str
        One ``<svg>`` element; the empty string when there is no score to show.
    """
    if not marks:
        return ""
    scale = _scale([m.value for m in marks] + [t.value for t in thresholds], frame)
    rows: dict[str, list[Mark]] = {}
    for mark in marks:
        rows.setdefault(mark.row, []).append(mark)
    height_of = {
        row: max(_ROW, 16 + _NEAR * min(1 + max(p[2] for p in _stacked(found, scale)), 12))
        + (_ABOVE if frame.names_above else 0)
        for row, found in rows.items()
    }
    _, n_labels = _labels(thresholds, scale, 0)
    top = 14 + n_labels * _LABEL
    bottom = top + sum(height_of.values())
    lines, _ = _labels(thresholds, scale, bottom)
    body = [lines]
    for row, found in rows.items():
        body.append(_row(row, found, scale, top, height_of[row]))
        top += height_of[row]
    body.append(_axis(scale, bottom, axis))
    drawn = escape(visible(title))
    told = escape(visible(_description(rows, thresholds, axis)))
    return (
        f'<svg class="strip {frame.css}" viewBox="0 0 {frame.width} {bottom + 46:g}" '
        f'width="{frame.width}" '
        f'height="{bottom + 46:g}" role="group" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{drawn}</title><desc id="{name}-d">{told}</desc>'
        f"{''.join(body)}</svg>"
    )


def _axis(scale: _Scale, y: float, axis: Axis) -> str:
    """Draw the axis, its ticks, and which way is better."""
    left, right = scale.frame.left, scale.right
    parts = [f'<line class="axis" x1="{left}" x2="{right}" y1="{y:g}" y2="{y:g}"/>']
    for tick in ticks(scale.low, scale.high, scale.frame.n_ticks):
        x = scale.x(tick)
        parts.append(f'<line class="axis" x1="{x:g}" x2="{x:g}" y1="{y:g}" y2="{y + 5:g}"/>')
        parts.append(_text(x, y + 19, f"{tick:g}", "tick", "middle"))
    better = "← lower is better" if axis.is_lower_better else "higher is better →"
    where, anchor = (left, "start") if axis.is_lower_better else (right, "end")
    named = _cut(axis.name, scale.frame.axis)
    parts.append(_text(where, y + 40, f"{named}, {better}", "axis-name", anchor))
    return "".join(parts)


def _description(rows: dict[str, list[Mark]], thresholds: Iterable[Threshold], axis: Axis) -> str:
    """Say in words what the plot shows."""
    better = "Lower" if axis.is_lower_better else "Higher"
    agents = "; ".join(
        f"{row}: {score(min(m.value for m in found))} to {score(max(m.value for m in found))}"
        for row, found in rows.items()
    )
    lines = ", ".join(f"{t.name} {score(t.value)}" for t in thresholds)
    return f"{better} is better. Scores by agent: {agents}. Lines of the board: {lines or 'none'}."
