"""Plots of a comparison as SVG text: differences task by task, and a history as a curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from reports import plots
from reports.comparison import words
from reports.words import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.comparison.schema import Comparison, Paired, Step, TaskDifference, Unit

MAX_TASKS: Final = 120  # rows of a plot
MAX_EQUAL: Final = 5  # rows of tasks without any difference; more are put into one
_ROW: Final = 22
_NAME: Final = 14  # height of a name above its row
_CHARACTER: Final = 7.6  # width of one character at 12.5 px
_LONGEST: Final = 34  # characters of a task's name
_TOP, _BOTTOM = 10, 46
_HEIGHT: Final = 260  # of the curve


class _Axis(NamedTuple):
    """A scale in px along one direction."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Place a value; what lies outside is at the edge."""
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def differences(found: Paired, unit: Unit, name: str) -> str:
    """Draw each task's difference with the range of its pairs, and the mean with its interval.

    Parameters
    ----------
    name : str
        Makes the ids of title and description unique in the page.

    Returns
    -------
    str
        Two ``<svg>`` elements, for wide and for narrow screens.
    """
    entries = _entries(found, unit)
    return "".join(
        _differences(entries, found, unit, f"{name}-{frame.css}", frame)
        for frame in (plots.LARGE, plots.SMALL)
    )


class _Entry(NamedTuple):
    """A row of the plot: a task, or all tasks without any difference."""

    name: str
    told: str
    value: float
    spread: tuple[float, float] | None


def _entries(found: Paired, unit: Unit) -> list[_Entry]:
    """List the rows, the greatest gain first; many tasks without any difference are one row."""
    tasks = sorted(found.tasks, key=lambda t: (-t.mean, t.competition_id))
    equal = [t for t in tasks if words.range_of(t) == (0, 0)]
    if len(equal) <= MAX_EQUAL:
        equal = []
    kept = [t for t in tasks if t not in equal][:MAX_TASKS]
    entries = [_entry(task, unit) for task in kept]
    if equal:
        what = f"{len(equal)} tasks: no difference"
        entries.append(_Entry(what, what, 0.0, None))
    return sorted(entries, key=lambda e: -e.value)


def _entry(task: TaskDifference, unit: Unit) -> _Entry:
    low, high = words.range_of(task)
    told = (
        f"{task.competition_id}: {words.with_unit(task.mean, unit)}, "
        f"pairs from {words.amount(low, unit)} to {words.amount(high, unit)}"
    )
    spread = (low, high) if len(task.pairs) > 1 else None
    return _Entry(task.competition_id, told, task.mean, spread)


def _differences(
    entries: Sequence[_Entry], found: Paired, unit: Unit, name: str, frame: plots.Frame
) -> str:
    factor = 100 if unit == "share" else 1
    ends = [v * factor for e in entries for v in (e.value, *(e.spread or ()))]
    ends += [v * factor for v in (found.low, found.high, found.mean) if v is not None]
    left = 16.0 if frame.names_above else min(_LONGEST, _longest(entries)) * _CHARACTER + 16
    axis = _spanning([*ends, 0.0], left, frame.width - 24)
    height = _ROW + (_NAME if frame.names_above else 0)
    bottom = _TOP + height * (len(entries) + 1) + 8
    zero = axis.at(0)
    parts = [_line("axis", (zero, _TOP), (zero, bottom))]
    for i, entry in enumerate(entries):
        row = _Row(entry.name, entry.told, "task", _TOP + i * height)
        spread = entry.spread and (entry.spread[0] * factor, entry.spread[1] * factor)
        parts.append(_dot(row, entry.value * factor, spread, axis, frame))
    told = f"Mean of tasks: {words.with_unit(found.mean, unit)}, {words.interval(found, unit)}"
    row = _Row("mean, 95 %", told, "mean", _TOP + len(entries) * height + 8)
    limits = None if found.low is None or found.high is None else (
        found.low * factor, found.high * factor
    )  # fmt: skip
    parts.append(_dot(row, found.mean * factor, limits, axis, frame))
    parts += _ticks(axis, bottom, frame, unit)
    title = "Difference of each task, above 0 where the second side is better"
    described = f"{len(found.tasks)} tasks. {told}."
    return _svg(name, frame, bottom + _BOTTOM, (title, described), "".join(parts))


class _Row(NamedTuple):
    name: str
    told: str
    css: str
    top: float


def _dot(
    row: _Row,
    value: float,
    spread: tuple[float, float] | None,
    axis: _Axis,
    frame: plots.Frame,
) -> str:
    """Draw one row: its name, its range as a line, its value as a dot."""
    y = row.top + _ROW / 2 + (_NAME if frame.names_above else 0)
    shown = row.name if len(row.name) <= _LONGEST else f"{row.name[: _LONGEST - 1]}…"
    place = (
        (axis.start, row.top + _NAME, "start")
        if frame.names_above
        else (axis.start - 10, y + 4, "end")
    )
    line = ""
    if spread is not None:
        low, high = axis.at(spread[0]), axis.at(spread[1])
        line = _line("range", (low, y), (high, y))
    size = 6 if row.css == "mean" else 4
    side = "better" if value > 0 else "worse" if value < 0 else "equal"
    return (
        f'<g class="{row.css} {side}"><title>{_safe(row.told)}</title>'
        f"{_line('row', (axis.start, y), (axis.end, y))}{line}"
        f'<circle cx="{axis.at(value):g}" cy="{y:g}" r="{size}"/>'
        f'<text class="agent" x="{place[0]:g}" y="{place[1]:g}" text-anchor="{place[2]}">'
        f"{_safe(shown)}</text></g>"
    )


def _ticks(axis: _Axis, y: float, frame: plots.Frame, unit: Unit) -> Iterable[str]:
    yield _line("axis", (axis.start, y), (axis.end, y))
    for tick in plots.ticks(axis.low, axis.high, frame.n_ticks):
        x = axis.at(tick)
        yield _line("axis", (x, y), (x, y + 5))
        yield _label(x, y + 19, _number(tick), "middle", "tick")
    named = words.UNITS[unit] if not frame.names_above else unit.replace("share", "points")
    yield _label(axis.end, y + 40, f"{named}, better →", "end", "axis-name")


def curve(document: Comparison, name: str) -> str:
    """Draw a history: the difference of each version to the first with its interval.

    Filled marks are versions whose difference to the first counts, hollow ones those where it
    cannot be attributed to recorded updates.

    Returns
    -------
    str
        Two ``<svg>`` elements; the empty string when no version can be compared with the first.
    """
    if not any(step.result for step in document.to_first):
        return ""
    return "".join(
        _curve(document, f"{name}-{frame.css}", frame) for frame in (plots.LARGE, plots.SMALL)
    )


def _curve(document: Comparison, name: str, frame: plots.Frame) -> str:
    unit, factor = document.unit, 100 if document.unit == "share" else 1
    steps = document.to_first
    values = [0.0]
    for step in steps:
        if step.result:
            found = (step.result.mean, step.result.low, step.result.high)
            values += [v * factor for v in found if v is not None]
    across = _spanning(values, float(_TOP + _HEIGHT), float(_TOP + 8))
    left = 58.0
    labels = [v.label for v in document.versions]
    wide = (frame.width - 40 - left) / max(len(labels) - 1, 1)
    place = {label: left + 14 + i * wide * 0.97 for i, label in enumerate(labels)}
    parts = []
    for tick in plots.ticks(across.low, across.high, 5):
        y = across.at(tick)
        css = "axis" if tick == 0 else "row"
        parts.append(_line(css, (left, y), (frame.width - 16, y)))
        parts.append(_label(left - 8, y + 4, _number(tick), "end", "tick"))
    points = [(place[labels[0]], across.at(0.0))]
    first = f"{words.called(labels[0])}: what the others are held against"
    marks = [_circle("mean counts", points[0], first)]
    for step in steps:
        if step.result:
            points.append((place[step.after], across.at(step.result.mean * factor)))
            marks.append(_mark(step, points[-1], across, unit))
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    parts.append(f'<polyline class="curve" points="{path}"/>')
    parts += marks
    every = math.ceil(len(labels) / (frame.width / 44))
    bottom = _TOP + _HEIGHT + 22
    parts += [
        _label(place[label], bottom, label, "middle", "tick")
        for i, label in enumerate(labels)
        if i % every == 0
    ]
    parts.append(_label(frame.width - 16, bottom + 20, "version", "end", "axis-name"))
    title = f"Difference to the first version in {words.UNITS[unit]}"
    told = "; ".join(
        f"{words.called(s.after)}: {words.amount(s.result.mean, unit)}" for s in steps if s.result
    )
    return _svg(name, frame, bottom + 30, (title, told), "".join(parts))


def _mark(step: Step, point: tuple[float, float], across: _Axis, unit: Unit) -> str:
    found, factor = step.result, 100 if unit == "share" else 1
    if found is None:
        return ""
    line = ""
    if found.low is not None and found.high is not None:
        ends = [(point[0], across.at(v * factor)) for v in (found.low, found.high)]
        line = _line("range", ends[0], ends[1])
    told = (
        f"{words.called(step.after)}: {words.with_unit(found.mean, unit)} "
        f"({words.interval(found, unit)})" + ("" if step.counts else f", {step.why_not}")
    )
    return _circle("mean counts" if step.counts else "mean open", point, told, line)


def _circle(css: str, at: tuple[float, float], told: str, below: str = "") -> str:
    return (
        f'<g class="{css}"><title>{_safe(told)}</title>{below}'
        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="5"/></g>'
    )


def _line(css: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    return (
        f'<line class="{css}" x1="{start[0]:g}" x2="{end[0]:g}" y1="{start[1]:g}" y2="{end[1]:g}"/>'
    )


def _spanning(values: Sequence[float], start: float, end: float) -> _Axis:
    low, high = min(values), max(values)
    pad = 0.05 * (high - low) or max(abs(high) * 0.05, 1.0 if high == 0 else 1e-3)
    return _Axis(low - pad, high + pad, start, end)


def _longest(entries: Sequence[_Entry]) -> int:
    return max(len("mean, 95 %"), *(len(e.name) for e in entries))


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _safe(text: str) -> str:
    return escape(visible(text))


def _label(x: float, y: float, text: str, anchor: str, css: str) -> str:
    return f'<text class="{css}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{_safe(text)}</text>'


def _svg(name: str, frame: plots.Frame, height: float, told: tuple[str, str], body: str) -> str:
    return (
        f'<svg class="strip {frame.css}" viewBox="0 0 {frame.width} {height:g}" '
        f'width="{frame.width}" height="{height:g}" role="img" '
        f'aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{_safe(told[0])}</title>'
        f'<desc id="{name}-d">{_safe(told[1])}</desc>{body}</svg>'
    )
