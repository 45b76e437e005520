"""Plots of estimates as SVG text: each with its interval and its standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from reports.words import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.sensitivity.models import Estimate


class Frame(NamedTuple):
    """How wide a plot is; one unit is one px where it is shown in full."""

    css: str
    width: int
    left: int  # where the scale of estimates begins
    right: int  # what is left free behind it
    names_above: bool  # a row's name and figure stand above it
    height: int  # of the field of curves
    n_ticks: int
    legend: int  # entries of a legend in one line


LARGE: Final = Frame(
    "large-screen", 900, 330, 170, names_above=False, height=190, n_ticks=8, legend=3
)
SMALL: Final = Frame("small-screen", 340, 14, 20, names_above=True, height=180, n_ticks=3, legend=1)
_ROW: Final = 25
_HEAD: Final = 30
_SHORT: Final = 24  # characters of a name that leaves room for a figure on a phone


class Line(NamedTuple):
    """One estimate in a plot of several; without one it is a heading."""

    name: str
    estimate: Estimate | None = None
    is_same: bool = False  # nothing is left out, so it repeats the first


def percent(value: float) -> str:
    """Write a share in per cent with one decimal.

    Examples
    --------
    >>> percent(0.43555)
    '43.6'
    """
    return f"{100 * value:.1f}"


def between(one: Estimate) -> str:
    """Write an estimate in per cent with its interval.

    Examples
    --------
    >>> from reports.sensitivity.models import Estimate
    >>> between(Estimate(mean=0.5, low=0.25, high=0.75, n_tasks=4))
    '50.0 % [25.0, 75.0]'
    """
    if one.low is None or one.high is None:
        return f"{percent(one.mean)} %"
    return f"{percent(one.mean)} % [{percent(one.low)}, {percent(one.high)}]"


def intervals(lines: Sequence[Line], *, name: str, title: str, frame: Frame = LARGE) -> str:
    """Draw estimates one below the other on a scale from 0 to 100 %.

    A thin line is the interval over tasks and attempts, a thick one the standard error over seeds.

    Parameters
    ----------
    name : str
        Makes the ids of title and description unique in the page.

    Returns
    -------
    str
        One ``<svg>`` element; the empty string when there is no estimate.
    """
    shown = [line for line in lines if line.estimate]
    if not shown:
        return ""
    right = frame.width - frame.right
    top, parts = 8, []
    for line in lines:
        height = (_ROW + _above(line, frame)) if line.estimate else _HEAD
        parts.append(_row(line, top, frame) if line.estimate else _heading(line, top))
        top += height
    first = shown[0].estimate
    mean = first.mean if first else 0.0
    reference = _place(mean, frame.left, right)
    ground = (
        f'<line class="reference" x1="{reference:g}" x2="{reference:g}" y1="4" y2="{top}"/>'
        + _share_axis(frame, right, top)
    )
    told = "; ".join(f"{one.name}: {between(one.estimate)}" for one in shown if one.estimate)
    return drawn_svg(frame, top + 28, ground + "".join(parts), name, title, told)


def _place(value: float, left: float, right: float) -> float:
    return round(left + min(max(value, 0.0), 1.0) * (right - left), 1)


def _above(line: Line, frame: Frame) -> int:
    """Give the height of what stands above a row: a short name has its figure beside it."""
    if not frame.names_above:
        return 0
    return 17 if len(line.name) <= _SHORT else 33


def _heading(line: Line, top: float) -> str:
    return text(2, top + 21, line.name, "head")


def _row(line: Line, top: float, frame: Frame) -> str:
    one = line.estimate
    if one is None:
        return ""
    right = frame.width - frame.right
    middle = top + _ROW / 2 + _above(line, frame)
    parts = [f'<g class="{"estimate same" if line.is_same else "estimate"}">']
    if frame.names_above:
        parts.append(text(frame.left, top + 14, cut(line.name, 48), "name"))
        parts.append(text(frame.width - 6, middle - 15.5, between(one), "value", "end"))
    else:
        parts.append(text(frame.left - 14, middle + 4, cut(line.name, 48), "name", "end"))
        parts.append(text(right + 14, middle + 4, between(one), "value"))
    if one.low is not None and one.high is not None:
        ends = _place(one.low, frame.left, right), _place(one.high, frame.left, right)
        parts.append(_bar("wide", ends, middle))
    if one.sem:
        ends = (
            _place(one.mean - one.sem, frame.left, right),
            _place(one.mean + one.sem, frame.left, right),
        )
        parts.append(_bar("narrow", ends, middle))
    x = _place(one.mean, frame.left, right)
    parts.append(f'<circle cx="{x:g}" cy="{middle:g}" r="4.5"/></g>')
    return "".join(parts)


def _bar(css: str, ends: tuple[float, float], y: float) -> str:
    return f'<line class="{css}" x1="{ends[0]:g}" x2="{ends[1]:g}" y1="{y:g}" y2="{y:g}"/>'


def _share_axis(frame: Frame, right: float, bottom: float) -> str:
    parts = [axis_line(frame.left, bottom, right, bottom)]
    for share in (0, 25, 50, 75, 100) if not frame.names_above else (0, 50, 100):
        x = _place(share / 100, frame.left, right)
        parts.append(f'<line class="grid" x1="{x:g}" x2="{x:g}" y1="4" y2="{bottom:g}"/>')
        anchor = "middle" if 0 < share < 100 or not frame.names_above else (  # noqa: PLR2004
            "start" if share == 0 else "end"
        )  # fmt: skip
        parts.append(text(x, bottom + 18, f"{share} %", "tick", anchor))
    return "".join(parts)


def axis_line(x1: float, y1: float, x2: float, y2: float) -> str:
    """Draw a line of an axis."""
    return f'<line class="axis" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def drawn_svg(frame: Frame, height: int, body: str, name: str, title: str, told: str) -> str:
    """Put a plot together, with its title and with what it shows in words."""
    return (
        f'<svg class="rates {frame.css}" viewBox="0 0 {frame.width} {height}" '
        f'width="{frame.width}" height="{height}" role="img" '
        f'aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{escape(visible(title))}</title>'
        f'<desc id="{name}-d">{escape(visible(told))}</desc>{body}</svg>'
    )


def text(x: float, y: float, words: str, css: str, anchor: str = "start") -> str:
    """Write a text that nobody has looked at."""
    shown = escape(visible(words))
    return f'<text class="{css}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{shown}</text>'


def cut(words: str, limit: int) -> str:
    """Cut a text to so many characters."""
    return words if len(words) <= limit else f"{words[: limit - 1]}…"
