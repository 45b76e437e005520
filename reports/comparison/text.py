"""A comparison for a terminal: the answer wrapped, then tables."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from reports.comparison.tables import (
    field_table,
    left_out,
    result_table,
    step_table,
    task_table,
    version_table,
)
from reports.comparison.words import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reports.comparison.schema import Comparison, Step

    Layout = Callable[[Sequence[str], Sequence[Sequence[str]]], str]

MAX_TASKS: Final = 30  # shown in a terminal; the page and the document have all
MAX_LEFT_OUT: Final = 12
MAX_VALUE: Final = 44  # characters of what a record says


def render_text(document: Comparison, layout: Layout, width: int = 100) -> str:
    """Render a comparison for a terminal.

    Parameters
    ----------
    layout : callable
        Lays a head and rows out as a table, and makes them safe for a terminal.
    width : int
        Columns that sentences are wrapped at.
    """
    parts = [_wrapped(document.answer, width), layout(*version_table(document))]
    if document.mode == "history":
        parts.append(layout(*step_table(document.consecutive, document)))
        if len(document.to_first) > 1:
            parts.append("Against the first:")
            parts.append(layout(*step_table(document.to_first, document)))
        parts += [_changed(step, document, layout) for step in document.consecutive]
    else:
        parts += _pair(document.steps[0], document, layout)
    out = left_out(document)
    if out:
        told = [_wrapped(f"{o.what}: {o.why}", width, "  ") for o in out[:MAX_LEFT_OUT]]
        more = [f"  and {len(out) - MAX_LEFT_OUT} more"] if len(out) > MAX_LEFT_OUT else []
        parts.append("\n".join(["Entered no figure:", *told, *more]))
    parts.append("\n".join(_wrapped(c, width, "  ", "- ") for c in document.cautions))
    return "\n\n".join(parts)


def _pair(step: Step, document: Comparison, layout: Layout) -> Iterator[str]:
    if step.result:
        yield layout(*result_table(step.result, document))
        table = task_table(step.result, document)
        shown = table.rows
        if len(shown) > MAX_TASKS:  # the best and the worst say most
            half = MAX_TASKS // 2
            gap = (f"… {len(shown) - 2 * half} more",) + ("",) * (len(table.head) - 1)
            shown = (*shown[:half], gap, *shown[-half:])
        yield layout(table.head, shown)
    yield _changed(step, document, layout)


def _changed(step: Step, document: Comparison, layout: Layout) -> str:
    """Show what the records say of both sides; in a history only what is not the same."""
    table = field_table(step, document)
    rows = [
        tuple(c if len(c) <= MAX_VALUE else f"{c[: MAX_VALUE - 1]}…" for c in row)
        for row in table.rows
        if document.mode == "pair" or row[1] != "same"
    ]
    head = "" if document.mode == "pair" else (
        f"From {called(step.before)} to {called(step.after)}: "
    )  # fmt: skip
    if not rows:
        return f"{head}all that is recorded is the same."
    return "\n".join([*([head.strip()] if head else []), layout(table.head, rows)])


def _wrapped(text: str, width: int, indent: str = "", bullet: str = "") -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=bullet or indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
