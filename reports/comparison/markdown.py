"""A comparison as a summary in Markdown: the answer, the tasks, what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reports.comparison import words
from reports.comparison.tables import (
    field_table,
    left_out,
    result_table,
    step_table,
    task_table,
    version_table,
)
from reports.markdown import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.comparison.schema import Comparison, Step
    from reports.comparison.tables import Table

MAX_LEFT_OUT: Final = 30
_MAX_SENTENCE: Final = 4000


def render_markdown(document: Comparison) -> str:
    """Render a comparison from its document alone.

    Returns
    -------
    str
        The same document gives the same text, byte for byte.
    """
    pair = document.mode == "pair"
    lines = [f"# {title(document)}", "", plain(document.answer, _MAX_SENTENCE), ""]
    lines += _table(version_table(document))
    if not pair:
        lines += ["", "## Each version against the one before", ""]
        lines += _table(step_table(document.consecutive, document))
        lines += ["", "## Each version against the first", ""]
        lines += _table(step_table(document.to_first, document))
    for step in document.consecutive:
        lines += ["", *_step(step, document)]
    lines += ["", "## What these figures cannot show", ""]
    lines += [f"- {plain(c, _MAX_SENTENCE)}" for c in document.cautions]
    out = left_out(document)
    if out:
        lines += ["", "## What entered no figure", ""]
        lines += [f"- {plain(o.what)}: {plain(o.why)}" for o in out[:MAX_LEFT_OUT]]
        lines += [f"- and {len(out) - MAX_LEFT_OUT} more"] if len(out) > MAX_LEFT_OUT else []
    return "\n".join(lines) + "\n"


def title(document: Comparison) -> str:
    """Name what is compared."""
    if document.mode == "history":
        return f"{len(document.versions)} versions compared"
    return "A and B compared"


def _step(step: Step, document: Comparison) -> Iterator[str]:
    named = f"From {words.called(step.before)} to {words.called(step.after)}"
    yield f"## {named}"
    yield ""
    if step.result:
        yield from _table(result_table(step.result, document))
        yield ""
        yield from _table(task_table(step.result, document))
    else:
        yield f"Not compared: {plain(step.why_none or '')}."
    yield ""
    yield plain(step.attribution.because, _MAX_SENTENCE)
    yield ""
    yield from _table(field_table(step, document))


def _table(table: Table) -> Iterator[str]:
    for cells in (table.head, ["---"] * len(table.head)):
        yield f"| {' | '.join(cells)} |"
    for row in table.rows:
        yield f"| {' | '.join(plain(cell) for cell in row)} |"
