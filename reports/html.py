"""One self-contained HTML page from one audit document: no script needed, nothing fetched.

Whatever an agent wrote is hostile. Three walls stand between it and the reader: every text is
escaped, characters that hide or reorder text are shown by name, and the page's own content
security policy allows no script but the one that it carries and no request at all.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reports import (
    caveats,
    copies,
    copy_plots,
    copy_words,
    grading,
    groups,
    overview,
    passages,
    places,
    published,
    rate_plots,
    words,
)
from reports.page import MAX_CONCERNED, Page, shape, short
from reports.sensitivity import words as rate_words

if TYPE_CHECKING:
    from jinja2 import Environment

    from reports.schema import AuditReport

TEMPLATES: Final = Path(__file__).parent / "templates"
STYLES: Final = ("style.css", "copies.css", "rates.css")
SCRIPTS: Final = ("script.js", "copies.js")
PNG: Final = "iVBORw0KGgo"  # how a PNG begins, in base64
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{20,200000}={0,2}")
MAX_TEXT: Final = 800  # characters of any one text; excerpts have a budget of their own
MAX_PAIRS: Final = 10  # example pairs of equal rows; files of a mix
MAX_MARKS: Final = 20  # example marks of origin
MAX_CELL: Final = 44  # characters of a fact in a table: a line or two
SHOWN_PROOFS: Final = 3  # of one finding; the others are folded


def evidence_template(kind: str) -> str:
    """Name the template that shows one kind of evidence."""
    return f"evidence/{kind}.html"


def _finalize(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Make every printed text safe to look at, before it is escaped; our own mark-up passes."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return words.visible(words.clip(str(value), MAX_TEXT))
    return value


def _png(data: str | None) -> str | None:
    """Return a picture of the document as an address, if it is nothing but a small PNG."""
    is_one = data is not None and data.startswith(PNG) and _BASE64.fullmatch(data)
    from markupsafe import Markup

    return Markup(f"data:image/png;base64,{data}") if is_one else None  # noqa: S704


@cache
def _environment() -> Environment:
    """Build the template environment once."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    style, script = (
        "".join((TEMPLATES / n).read_text("utf-8") for n in p) for p in (STYLES, SCRIPTS)
    )
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Ours, from files of this package: the only texts that are not escaped, with the plots.
    environment.globals |= {
        "style": Markup(style),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "script_digest": digest,
        "severities": words.SEVERITIES,
        "confidences": words.CONFIDENCES,
        "conclusions": words.CONCLUSIONS,
        "outcomes": words.OUTCOMES,
        "evidence_template": evidence_template,
        "max_pairs": MAX_PAIRS,
        "max_marks": MAX_MARKS,
        "methods": copy_words.METHODS,
        "colours": passages.COLOURS,
        "levels": copy_plots.SCALE,
        "max_cell": MAX_CELL,
        "shown_proofs": SHOWN_PROOFS,
        "max_concerned": MAX_CONCERNED,
        "measures": rate_words.MEASURES,
        "headline_notes": caveats.headline_notes,
        "warnings": caveats.warnings,
        "resuming": caveats.resuming,
        "alike": groups.alike,
        "by_task": groups.by_task,
        "reported_tables": published.tables_of,
    }
    environment.filters |= {
        "score": words.score,
        "share": words.share,
        "medal_share": words.medal_share,
        "number": words.number,
        "counted": words.counted,
        "clip": words.clip,
        "shared": copies.shared,
        "percent": copy_words.percent,
        "percent_of": rate_plots.percent,
        "figure": rate_words.figure,
        "interval": rate_words.interval,
        "duration": rate_words.duration,
        "left_out": rate_words.left_out,
        "probability": copy_words.probability,
        "significance": copy_words.significance,
        "credit": copy_words.credit,
        "png": _png,
        "row_of": places.row_of,
        "span": places.span,
        "where": places.where,
        "own_place": places.own_place,
        "medal": overview.medal,
        "standing": overview.standing,
        "scored": published.scored,
        "stood": published.stood,
        "crowd": grading.crowd,
        "shape": shape,
        "short": short,
        "struck_out": words.struck_out,
        "concluded": words.concluded,
        "rejudged": words.rejudged,
        "svg": Markup,
    }
    environment.tests["is_address"] = copy_words.is_address
    return environment


def render_html(report: AuditReport) -> str:
    """Render an audit as one HTML page that needs nothing but itself.

    Parameters
    ----------
    report : AuditReport
        The document; nothing else is read.

    Returns
    -------
    str
        The page. The same document gives the same page, byte for byte.
    """
    over = overview.Overview(report)
    template = _environment().get_template("report.html")
    return template.render(report=report, over=over, page=Page(over))
