"""Curves over a few named places, and values in a row each, as SVG files that stand alone.

They lie in documents beside text, and in pages: colours follow the reader's scheme, each curve has
its name at its beginning, and whatever matters is told by dashes as well as by colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from reports.words import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WIDTH, _HEIGHT = 860, 360
_LEFT, _TOP, _BOTTOM = (
    350,
    20,
    44,
)  # the names of curves stand on the left, where curves differ most
_RIGHT = 56
_GAP = 16  # between two names
_ROW = 24
_ROW_NAME = 350
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
_STYLES: Final = ("first", "second", "third")
_CSS: Final = """
.curves{background:#fff;font:13px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}
.curves text{fill:#1b1f24}.curves .soft{fill:#545c67}
.curves .grid{stroke:#d9dde3}.curves .mark{stroke:#8a929e;stroke-dasharray:2 3}
.curves .band{fill:#e9ecf0}.curves path{fill:none;stroke-width:2.5}
.curves .other{stroke:#8a929e;stroke-width:1.5}.curves .first{stroke:#0b57a4}
.curves .second{stroke:#8a5200;stroke-dasharray:7 4}
.curves .third{stroke:#b3231b;stroke-dasharray:2 4}
.curves text.name-other{fill:#545c67}.curves text.name-first{fill:#0b57a4;font-weight:600}
.curves text.name-second{fill:#8a5200;font-weight:600}
.curves text.name-third{fill:#b3231b;font-weight:600}
.curves circle{stroke:none}.curves .dot-first{fill:#0b57a4}.curves .dot-second{fill:#8a5200}
.curves .dot-third{fill:#b3231b}.curves .dot-other{fill:#545c67}
@media (prefers-color-scheme:dark){
.curves{background:#13161a}.curves text{fill:#e7eaee}.curves .soft{fill:#a9b2bd}
.curves .grid{stroke:#333a43}.curves .mark,.curves .other{stroke:#7d8793}.curves .band{fill:#252b33}
.curves .first{stroke:#8ab8f5}.curves .second{stroke:#f0b45c}.curves .third{stroke:#ff938a}
.curves .dot-first{fill:#8ab8f5}.curves .dot-second{fill:#f0b45c}.curves .dot-third{fill:#ff938a}
.curves .dot-other,.curves text.name-other{fill:#a9b2bd}.curves text.name-first{fill:#8ab8f5}
.curves text.name-second{fill:#f0b45c}.curves text.name-third{fill:#ff938a}}
""".replace("\n", "")


class Curve(NamedTuple):
    """One line, with a value between 0 and 1 at each place; the first three stand out."""

    name: str
    values: Sequence[float]


class Frame(NamedTuple):
    """What is drawn.

    Parameters
    ----------
    title : str
        What it shows, in a sentence; also for those who do not see it.
    x, y : str
        Along the places, and up.
    mark : float
        A value that a line is drawn at: what chance gives.
    """

    title: str
    x: str
    y: str
    mark: float


def curves(found: Sequence[Curve], places: Sequence[str], frame: Frame) -> str:
    """Draw a line per curve over evenly spaced places.

    Returns
    -------
    str
        One ``<svg>`` element, which is a file of its own as well.

    Raises
    ------
    ValueError
        When there is no curve, or one has not a value for each place.
    """
    if not found or any(len(c.values) != len(places) for c in found):
        raise ValueError("expected curves with a value for each place")
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    step = (right - _LEFT) / max(1, len(places) - 1)
    across = [round(_LEFT + i * step, 1) for i in range(len(places))]
    below = "".join(
        f'<text class="soft" x="{x}" y="{bottom + 18}" text-anchor="middle">{_shown(place)}</text>'
        for x, place in zip(across, places, strict=True)
    )
    middle = (_LEFT + right) / 2
    parts = [
        *_grid(right),
        f'<line class="mark" x1="{_LEFT}" x2="{right}" y1="{_up(frame.mark)}" '
        f'y2="{_up(frame.mark)}"/>',
        below,
        f'<text class="soft" x="{middle:g}" y="{bottom + 36}" text-anchor="middle">'
        f"{_shown(frame.x)}</text>",
        f'<text class="soft" x="{_LEFT}" y="12">{_shown(frame.y)}</text>',
        *_lines(found, across),
        *_names(found),
    ]
    return _svg("".join(parts), _HEIGHT, frame.title, _told(found, places))


def _up(value: float) -> float:
    return round(_HEIGHT - _BOTTOM - value * (_HEIGHT - _BOTTOM - _TOP), 1)


def _grid(right: float) -> Iterator[str]:
    for tick in _TICKS:
        y = _up(tick)
        yield f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text class="soft" x="{right + 8}" y="{y + 4}">{tick:g}</text>'


def _style(number: int) -> str:
    return _STYLES[number] if number < len(_STYLES) else "other"


def _lines(found: Sequence[Curve], across: Sequence[float]) -> Iterator[str]:
    """Yield the lines, those that stand out last, so that they lie over the others."""
    for number in reversed(range(len(found))):
        ups = [_up(value) for value in found[number].values]
        way = "L".join(f"{x} {y}" for x, y in zip(across, ups, strict=True))
        yield f'<path class="{_style(number)}" d="M{way}"/>'
        dots = zip(across, ups, found[number].values, strict=True)
        yield from (
            f'<circle class="dot-{_style(number)}" cx="{x}" cy="{y}" r="3.5"><title>'
            f"{_shown(found[number].name)}: {value:.3f}</title></circle>"
            for x, y, value in dots
        )


def _names(found: Sequence[Curve]) -> Iterator[str]:
    """Yield names beside the beginnings of curves, moved apart where these lie close."""
    order = sorted(range(len(found)), key=lambda i: -found[i].values[0])
    last = float(_TOP - _GAP)
    room = _HEIGHT - _BOTTOM - _GAP * (len(found) - 1)
    for place, i in enumerate(order):
        start = _up(found[i].values[0])
        y = min(max(start, last + _GAP), room + place * _GAP)
        last = y
        way = f"M{_LEFT - 6} {start}L{_LEFT - 18} {y}"
        yield f'<path class="grid" style="stroke-width:1" d="{way}"/>'
        css = f"name-{_style(i)}"
        yield (
            f'<text class="{css}" x="{_LEFT - 22}" y="{y + 4}" text-anchor="end">'
            f"{_shown(found[i].name)}</text>"
        )


def rows(found: Sequence[tuple[str, float]], band: tuple[float, float], frame: Frame) -> str:
    """Draw a value per row between 0 and 1, over a band in which it should lie.

    Raises
    ------
    ValueError
        When there is no row.
    """
    if not found:
        raise ValueError("expected at least one row, found none")
    left, right = _ROW_NAME, _WIDTH - 30
    bottom = 10 + _ROW * len(found)

    def at(value: float) -> float:
        return round(left + value * (right - left), 1)

    low, high = (at(value) for value in band)
    parts = [f'<rect class="band" x="{low}" y="6" width="{high - low:g}" height="{bottom - 6}"/>']
    for tick in _TICKS:
        x = at(tick)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="6" y2="{bottom}"/>')
        words = f'<text class="soft" x="{x}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
        parts.append(words)
    for number, (name, value) in enumerate(found):
        y = 10 + _ROW * number + _ROW / 2
        css = _style(number)
        parts.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{_shown(name)}</text>')
        parts.append(
            f'<circle class="dot-{css}" cx="{at(value)}" cy="{y}" r="5"><title>{value:.3f}</title>'
            "</circle>"
        )
    middle = (left + right) / 2
    parts.append(
        f'<text class="soft" x="{middle:g}" y="{bottom + 36}" text-anchor="middle">'
        f"{_shown(frame.x)}</text>"
    )
    told = "; ".join(f"{name} {value:.3f}" for name, value in found)
    return _svg("".join(parts), bottom + 44, frame.title, told)


def _told(found: Sequence[Curve], places: Sequence[str]) -> str:
    return "; ".join(
        f"{curve.name}: "
        + ", ".join(f"{v:.3f} at {p}" for v, p in zip(curve.values, places, strict=True))
        for curve in found
    )


def _svg(inside: str, height: float, title: str, told: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="curves" viewBox="0 0 {_WIDTH} {height:g}" '
        f'width="{_WIDTH}" height="{height:g}" role="img"><title>{_shown(title)}</title>'
        f"<desc>{_shown(told)}</desc><style>{_CSS}</style>{inside}</svg>"
    )


def _shown(text: str) -> str:
    return escape(visible(text))
