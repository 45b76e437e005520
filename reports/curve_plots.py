"""Curves over time or attempts as SVG text, with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from reports.plots import ticks
from reports.rate_plots import LARGE, axis_line, cut, drawn_svg, percent, text
from reports.words import score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.rate_plots import Frame

COLOURS: Final = "abcdefgh"  # of series; their order also gives shape and dashes
MAX_SERIES: Final = len(COLOURS)
_SHAPES: Final = 4
_CHARACTER: Final = 7.0  # width of one character of a label at 12.5 px
_MARKS: Final = 12  # of one curve, at most
_MARGIN: Final = 52  # of the vertical axis
_TINY: Final = 1e-12


class Point(NamedTuple):
    """One point of a curve, with its interval where it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """One curve."""

    name: str
    points: Sequence[Point]


class Level(NamedTuple):
    """A horizontal line to compare with."""

    name: str
    y: float


class Field(NamedTuple):
    """What a field of curves shows.

    Parameters
    ----------
    x_name : str
        What goes to the right, with its unit.
    is_share : bool
        Whether values are shares, drawn from 0 to 100 %.
    is_step : bool
        Whether a value holds until the next one.
    x_from : float
        Where the horizontal scale begins.
    only_whole : bool
        Whether the horizontal axis counts things.
    """

    x_name: str
    is_share: bool = True
    is_step: bool = False
    x_from: float = 0.0
    only_whole: bool = False


class _Box(NamedTuple):
    """Where the field lies and what its corners are worth."""

    left: float
    right: float
    top: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Place a point."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return (
            round(self.left + across * (self.right - self.left), 1),
            round(self.bottom - up * (self.bottom - self.top), 1),
        )


def curves(
    series: Sequence[Series],
    field: Field,
    *,
    name: str,
    title: str,
    levels: Sequence[Level] = (),
    frame: Frame = LARGE,
) -> str:
    """Draw curves with their intervals; at most as many as there are colours.

    Returns
    -------
    str
        One ``<svg>`` element; the empty string when there is no point.
    """
    drawn = [s for s in series if s.points][:MAX_SERIES]
    if not drawn:
        return ""
    entries = -(-len(drawn) // frame.legend) if len(drawn) > 1 else 0
    top = 12 + 20 * entries
    box = _box(drawn, levels, field, frame, top)
    body = [_legend(drawn, frame) if entries else "", _axes(box, field, frame)]
    body += [_level(level, box) for level in levels]
    body += [_band(s, i, box, field) for i, s in enumerate(drawn)]
    body += [_curve(s, i, box, field) for i, s in enumerate(drawn)]
    told = "; ".join(f"{s.name}: {_said(s, field)}" for s in drawn)
    return drawn_svg(frame, int(box.bottom) + 46, "".join(body), name, title, told)


def _box(
    drawn: Sequence[Series], levels: Sequence[Level], field: Field, frame: Frame, top: float
) -> _Box:
    xs = [p.x for s in drawn for p in s.points]
    ends = [(p.y, p.low, p.high) for s in drawn for p in s.points]
    ys = [y for end in ends for y in end if y is not None] + [level.y for level in levels]
    low, high = (0.0, 1.0) if field.is_share else (min(ys), max(ys))
    if not field.is_share:
        pad = 0.06 * (high - low) or max(abs(high) * 0.05, 1e-3)
        low, high = low - pad, high + pad
    end = max(xs)
    begin = min(field.x_from, end)
    if end - begin <= _TINY:
        begin, end = begin - 0.5, end + 0.5
    left = _MARGIN if field.is_share else _MARGIN + 22
    return _Box(left, frame.width - 22, top, top + frame.height, (begin, end), (low, high))


def _axes(box: _Box, field: Field, frame: Frame) -> str:
    parts = [axis_line(box.left, box.bottom, box.right, box.bottom)]
    across = ticks(*box.x, about=frame.n_ticks)
    if field.only_whole:
        across = [t for t in across if t == int(t)]
    for tick in across:
        x, _ = box.at(tick, box.y[0])
        parts.append(axis_line(x, box.bottom, x, box.bottom + 5))
        parts.append(text(x, box.bottom + 19, f"{tick:g}", "tick", "middle"))
    up = [0.0, 0.25, 0.5, 0.75, 1.0] if field.is_share else ticks(*box.y, about=4)
    for tick in up:
        _, y = box.at(box.x[0], tick)
        label = f"{100 * tick:g} %" if field.is_share else f"{tick:g}"
        parts.append(f'<line class="grid" x1="{box.left:g}" x2="{box.right:g}" y1="{y}" y2="{y}"/>')
        parts.append(text(box.left - 8, y + 4, label, "tick", "end"))
    parts.append(text(box.right, box.bottom + 40, field.x_name, "axis-name", "end"))
    return "".join(parts)


def _level(level: Level, box: _Box) -> str:
    _, y = box.at(box.x[0], level.y)
    return f'<line class="reference" x1="{box.left:g}" x2="{box.right:g}" y1="{y}" y2="{y}"/>' + (
        text(box.right - 2, y - 4, f"{level.name} {score(level.y)}", "level", "end")
    )


def _steps(points: Sequence[tuple[float, float]], *, is_step: bool) -> str:
    """Write a path through points; a step goes across before it goes up."""
    moves = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for x, y in points[1:]:
        moves.append(f"H{x:g}V{y:g}" if is_step else f"L{x:g} {y:g}")
    return "".join(moves)


def _band(series: Series, i: int, box: _Box, field: Field) -> str:
    """Shade the interval of a curve."""
    if all(p.low is None for p in series.points):
        return ""
    # Where nothing varies the interval has no width; passing it over would shade across it.
    sure = [
        (p.x, p.y if p.low is None else p.low, p.y if p.high is None else p.high)
        for p in series.points
    ]
    if len(sure) == 1:
        return f'<g class="series region-{COLOURS[i]}">{_whisker(box, *sure[0])}</g>'
    lows = [box.at(x, low) for x, low, _ in sure]
    highs = [box.at(x, high) for x, _, high in sure]
    there = _steps(highs, is_step=field.is_step)
    # Going back, a step goes up or down before it goes across.
    back = "".join(f"V{y:g}H{x:g}" if field.is_step else f"L{x:g} {y:g}" for x, y in reversed(lows))
    return f'<path class="band region-{COLOURS[i]}" d="{there}{back}Z"/>'


def _whisker(box: _Box, x: float, low: float, high: float) -> str:
    (at, bottom), (_, top) = box.at(x, low), box.at(x, high)
    return f'<line class="wide" x1="{at}" x2="{at}" y1="{bottom}" y2="{top}"/>'


def _curve(series: Series, i: int, box: _Box, field: Field) -> str:
    places = [box.at(p.x, p.y) for p in series.points]
    path = f'<path class="curve dash-{i % _SHAPES}" d="{_steps(places, is_step=field.is_step)}"/>'
    every = -(-len(places) // _MARKS)
    marks = "".join(_shape(i, x, y) for n, (x, y) in enumerate(places) if n % every == 0)
    return f'<g class="series region-{COLOURS[i]}">{path}{marks}</g>'


def _shape(i: int, x: float, y: float) -> str:
    match i % _SHAPES:
        case 0:
            return f'<circle cx="{x:g}" cy="{y:g}" r="3.5"/>'
        case 1:
            return f'<rect x="{x - 3.5:g}" y="{y - 3.5:g}" width="7" height="7"/>'
        case 2:
            return f'<path class="shape" d="M{x:g} {y - 4.5:g}l4.5 8h-9Z"/>'
        case _:
            return f'<path class="shape" d="M{x:g} {y - 5:g}l5 5l-5 5l-5 -5Z"/>'


def _legend(drawn: Sequence[Series], frame: Frame) -> str:
    parts = []
    width = (frame.width - 20) / frame.legend
    for i, one in enumerate(drawn):
        x, y = 12 + (i % frame.legend) * width, 12 + 20 * (i // frame.legend)
        most = int((width - 24) / _CHARACTER)
        parts.append(
            f'<g class="series region-{COLOURS[i]}">{_shape(i, x, y)}</g>'
            + text(x + 12, y + 4, cut(one.name, most), "name")
        )
    return "".join(parts)


def _said(series: Series, field: Field) -> str:
    """Say in words where a curve begins and ends."""
    first, last = series.points[0], series.points[-1]

    def value(y: float) -> str:
        return f"{percent(y)} %" if field.is_share else score(y)

    if len(series.points) == 1:
        return f"{value(first.y)} at {first.x:g}"
    return f"{value(first.y)} at {first.x:g}, {value(last.y)} at {last.x:g}"


def unit_of(seconds: float) -> tuple[str, float]:
    """Choose the unit in which a time is read best: its name and its seconds.

    Examples
    --------
    >>> unit_of(90), unit_of(7000), unit_of(86400)
    (('seconds', 1), ('minutes', 60), ('hours', 3600))
    """
    if not math.isfinite(seconds) or seconds > 2 * 3600:
        return "hours", 3600
    return ("minutes", 60) if seconds > 2 * 60 else ("seconds", 1)
