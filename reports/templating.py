"""The environment that one-file pages are rendered in: escaped, safe to look at, no undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.html import MAX_TEXT, TEMPLATES
from reports.words import clip, visible

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment


def page_environment(own: Path) -> Environment:
    """Build the environment of a page that has templates of its own beside those of all pages.

    Every printed text is cut, made visible and escaped. It has the style as ``style`` and a filter
    ``svg`` for plots of ours, the only texts that are not escaped.

    Parameters
    ----------
    own : Path
        Where the page's own templates lie.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader([own, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style"] = Markup((TEMPLATES / "style.css").read_text("utf-8"))  # noqa: S704
    environment.filters["svg"] = Markup
    return environment


def _finalize(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Make every printed text safe to look at, before it is escaped; our own mark-up passes."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(clip(str(value), MAX_TEXT))
    return value
