"""One self-contained page from one reproduction's document: no script, nothing fetched."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from audit.reproduction import words
from audit.reproduction.markdown import facts
from reports import plots
from reports.html import MAX_TEXT, TEMPLATES
from reports.page import shape, short
from reports.words import clip, counted, visible

if TYPE_CHECKING:
    from jinja2 import Environment

    from audit.reproduction.schema import Reproduction, TaskResult

OWN: Final = Path(__file__).parent / "templates"
MAX_FINDINGS: Final = 5  # of one run; the audit's page has them all


def _finalize(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Make every printed text safe to look at, before it is escaped; our own mark-up passes."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(clip(str(value), MAX_TEXT))
    return value


@cache
def _environment() -> Environment:
    """Build the template environment once."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader([OWN, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "style": Markup((TEMPLATES / "style.css").read_text("utf-8")),  # noqa: S704 - ours
        "words": words,
        "facts": facts,
        "max_findings": MAX_FINDINGS,
    }
    environment.filters |= {
        "shape": shape,
        "short": short,
        "counted": counted,
        "svg": Markup,
        "figure": words.figure,
        "interval": words.interval,
        "p": words.p_value,
    }
    return environment


def render_html(document: Reproduction) -> str:
    """Render a reproduction as one HTML page that needs nothing but itself.

    Returns
    -------
    str
        The same document gives the same page, byte for byte.
    """
    first, _, rest = document.answer.partition(". ")
    return (
        _environment()
        .get_template("reproduction.html")
        .render(
            document=document,
            first=f"{first}." if rest else first,
            rest=rest,
            tasks=[(task, f"task-{i}", plot(task, f"plot-{i}")) for i, task in _numbered(document)],
        )
    )


def _numbered(document: Reproduction) -> list[tuple[int, TaskResult]]:
    return list(enumerate(document.tasks, start=1))


def plot(task: TaskResult, name: str) -> str:
    """Draw the hidden score of every run, a row for each agent, against the board's lines.

    Returns
    -------
    str
        SVG for wide and for narrow screens; the empty string when no run has a score.
    """
    marks = [
        plots.Mark(
            row=side.agent,
            label=f"{side.agent}, seed {run.seed}",
            value=run.score,
            shape=shape(run.verdict),
            href=f"#{name}-{run.attempt}",
        )
        for side in (task.agent, task.baseline)
        for run in side.runs
        if run.score is not None
    ]
    return "".join(
        plots.strip(
            marks,
            [plots.Threshold(medal, value) for medal, value in task.thresholds.items()],
            name=f"{name}-{frame.css}",
            title=f"Hidden score of each run on {task.competition_id}",
            axis=plots.Axis(task.metric, task.is_lower_better),
            frame=frame,
        )
        for frame in (plots.LARGE, plots.SMALL)
    )
