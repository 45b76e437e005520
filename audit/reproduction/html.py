"""One self-contained page from one reproduction's document: no script, nothing fetched."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from audit.reproduction import words
from audit.reproduction.markdown import facts
from reports import plots
from reports.page import shape, short
from reports.templating import page_environment
from reports.words import counted

if TYPE_CHECKING:
    from jinja2 import Environment

    from audit.reproduction.schema import Reproduction, TaskResult

OWN: Final = Path(__file__).parent / "templates"
MAX_FINDINGS: Final = 5  # of one run; the audit's page has them all


@cache
def _environment() -> Environment:
    """Build the template environment once."""
    environment = page_environment(OWN)
    environment.globals |= {
        "words": words,
        "facts": facts,
        "max_findings": MAX_FINDINGS,
    }
    environment.filters |= {
        "shape": shape,
        "short": short,
        "counted": counted,
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
