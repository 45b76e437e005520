"""One self-contained page from one comparison's document: no script, nothing fetched."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reports.comparison import plots, tables, words
from reports.comparison.markdown import title
from reports.templating import page_environment
from reports.words import counted

if TYPE_CHECKING:
    from jinja2 import Environment

    from reports.comparison.schema import Comparison

OWN: Final = Path(__file__).parent / "templates"


@cache
def _environment() -> Environment:
    """Build the template environment once."""
    environment = page_environment(OWN)
    environment.globals |= {"words": words, "tables": tables}
    environment.filters["counted"] = counted
    return environment


def render_html(document: Comparison) -> str:
    """Render a comparison as one HTML page that needs nothing but itself.

    Returns
    -------
    str
        The same document gives the same page, byte for byte.
    """
    first, *rest = words.sentences(document.answer)
    steps = [
        (
            step,
            f"step-{i}",
            plots.differences(step.result, document.unit, f"plot-{i}") if step.result else "",
        )
        for i, step in enumerate(document.consecutive, start=1)
    ]
    return (
        _environment()
        .get_template("comparison.html")
        .render(
            document=document,
            title=title(document),
            first=first,
            rest=rest,
            steps=steps,
            curve=plots.curve(document, "curve") if document.mode == "history" else "",
        )
    )
