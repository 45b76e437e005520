"""A small page of sentences, plots and the table of all that is drawn."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from reports.html import TEMPLATES
from reports.templating import page_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment


class Figure(NamedTuple):
    """A plot of ours, and what it is called."""

    svg: str
    caption: str = ""


@cache
def _environment() -> Environment:
    return page_environment(TEMPLATES)


def render_figures(
    title: str,
    said: Sequence[str],
    figures: Sequence[Figure],
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> str:
    """Render one self-contained page.

    Parameters
    ----------
    said : sequence of str
        Sentences above the plots.
    rows : sequence of sequences of str
        As many cells each as `head`; the first names the row.
    """
    page = _environment().get_template("figures.html")
    return page.render(title=title, said=said, figures=figures, head=head, rows=rows)
