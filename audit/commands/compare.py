"""The verb ``compare``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import ExistingDataDir

_STDOUT = Path("-")


def compare(  # noqa: PLR0913, PLR0917 - each is an option
    sides: Annotated[
        list[str],
        typer.Argument(
            help="A and B: run groups, grading reports (joined by commas, or a folder of them) "
            "or audit documents; #AGENT behind one takes one agent's attempts."
        ),
    ],
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Follow one system: versions, one folder of run groups, or a list file (.txt).",
        ),
    ] = False,
    metric: Annotated[
        str | None,
        typer.Option(
            help="medal, score, percentile or above-median. [default: medal where half of the "
            "tasks award some, else percentile]"
        ),
    ] = None,
    include_flagged: Annotated[
        bool, typer.Option("--include-flagged", help="Keep attempts that an audit questions.")
    ] = False,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the document; - prints it.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page in one file.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write a summary in Markdown.")] = None,
    data_dir: ExistingDataDir = None,
) -> None:
    """Compare two systems over common tasks and seeds, and say what else differs.

    Exact tests, a bootstrap interval, an effect size, and what could have been seen at all. If
    more than the system changed, it says that the gain cannot be attributed. With --history, a
    difference counts only where both records name the system's digest and it changed. Ends with 3
    when the sides have no task in common.

    Example: mle-audit compare runs/A runs/B --html comparison.html
    """
    import shutil

    from audit import console
    from audit.comparison.compare import Options, metric_named, two
    from audit.comparison.compare import compare as compare_two
    from audit.comparison.history import history as follow
    from audit.comparison.sides import source_of
    from competitions.data import default_data_dir
    from competitions.io import write_text
    from reports.comparison.html import render_html
    from reports.comparison.markdown import render_markdown
    from reports.comparison.schema import write_comparison
    from reports.comparison.text import render_text
    from reports.render import refuse_overwriting

    targets = (path for path in (json, html, markdown) if path and path != _STDOUT)
    refuse_overwriting(targets, (path for side in sides for path in source_of(side).paths))
    chosen = Options(data_dir or default_data_dir(), metric_named(metric), include_flagged)
    now = datetime.now(UTC)
    with console.counter("compare") as tell:
        document = (
            follow(sides, chosen, now, tell)
            if history
            else compare_two(*two(sides), chosen, now, tell)
        )
    if json == _STDOUT:
        typer.echo(document.model_dump_json(indent=2))
    else:
        width = min(shutil.get_terminal_size((100, 24)).columns, console.MAX_WIDTH)
        typer.echo(render_text(document, console.table, width))
    if json and json != _STDOUT:
        write_comparison(document, json)
    if html:
        write_text(html, render_html(document))
    if markdown:
        write_text(markdown, render_markdown(document))
    for path in (json, html, markdown):
        if path and path != _STDOUT:
            typer.echo(f"Written: {path}", err=True)
