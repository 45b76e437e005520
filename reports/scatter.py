"""A plot of one point per task, and the small page that shows it with its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from reports import plots
from reports.figures import Figure, render_figures
from reports.words import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT: Final = 360
_TOP, _BOTTOM, _LEFT, _RIGHT = 12, 30, 48, 12
_ROOM: Final = 0.05  # of the range, left free on each side


class Point(NamedTuple):
    """One task."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Axes:
    """What is drawn along both directions."""

    x: str
    y: str


class _Scale(NamedTuple):
    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def scatter(points: Sequence[Point], axes: Axes, name: str) -> str:
    """Draw points, each with its task's name and values as a tooltip.

    Parameters
    ----------
    name : str
        Makes the ids of title and description unique in the page.

    Returns
    -------
    str
        Two ``<svg>`` elements, for wide and for narrow screens.

    Raises
    ------
    ValueError
        When there is no point.
    """
    if not points:
        raise ValueError("expected at least one point, found none")
    return "".join(_drawn(points, axes, f"{name}-{f.css}", f) for f in (plots.LARGE, plots.SMALL))


def _drawn(points: Sequence[Point], axes: Axes, name: str, frame: plots.Frame) -> str:
    across = _scale([p.x for p in points], _LEFT, frame.width - _RIGHT)
    up = _scale([p.y for p in points], _HEIGHT - _BOTTOM, _TOP)
    return "".join(
        (
            f'<svg class="strip {frame.css}" viewBox="0 0 {frame.width} {_HEIGHT}" role="img" '
            f'aria-labelledby="{name}-title {name}-desc">',
            f'<title id="{name}-title">{_shown(axes.y)} against {_shown(axes.x)}</title>',
            f'<desc id="{name}-desc">{len(points)} tasks; the table has each.</desc>',
            *_axis_lines(across, up, frame),
            *(
                f'<circle cx="{across.at(p.x)}" cy="{up.at(p.y)}" r="4"><title>{_shown(p.name)}: '
                f"{p.x:.3g}, {p.y:.3g}</title></circle>"
                for p in points
            ),
            "</svg>",
        )
    )


def _axis_lines(across: _Scale, up: _Scale, frame: plots.Frame) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, frame.width - _RIGHT
    below = (
        f'<text x="{across.at(value)}" y="{bottom + 18}" text-anchor="middle">{value:.3g}</text>'
        for value in plots.ticks(across.low, across.high, frame.n_ticks + 1)
    )
    beside = (
        f'<text x="{_LEFT - 6}" y="{up.at(value) + 4}" text-anchor="end">{value:.3g}</text>'
        for value in plots.ticks(up.low, up.high)
    )
    line = f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none"/>'
    return [line, *below, *beside]


def _scale(values: Sequence[float], start: float, end: float) -> _Scale:
    low, high = min(values), max(values)
    room = (high - low) * _ROOM or 1.0  # equal values stand in the middle
    return _Scale(low - room, high + room, start, end)


def _shown(text: str) -> str:
    return escape(visible(text))


def render_scatter(points: Sequence[Point], axes: Axes, title: str, said: Sequence[str]) -> str:
    """Render one self-contained page: what was found, the plot, and a table of the points.

    Parameters
    ----------
    said : sequence of str
        Sentences above the plot.
    """
    ordered = sorted(points, key=lambda p: (-p.x, p.name))
    rows = [(p.name, f"{p.x:.3g}", f"{p.y:.3g}") for p in ordered]
    where = f"To the right: {axes.x}. Upwards: {axes.y}."
    figure = Figure(scatter(points, axes, "plot"))
    return render_figures(title, [*said, where], [figure], ("Task", axes.x, axes.y), rows)
