"""The verb ``demo``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for data, runs and report.")
    ] = Path("demo"),
    seeds: Annotated[int, typer.Option(min=1, help="Seeds per agent and task.")] = 3,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Attempts at once. [default: cores]")
    ] = None,
) -> None:
    """Run the whole story on embedded tasks, offline.

    Honest agents and some that break a rule each; the report shows it. Ends with 0 when each
    offence was seen and nobody else was accused, else with 3.

    Example: mle-audit demo -o demo
    """
    from audit import console
    from audit.demo import demo as tell_story
    from reports.markdown import render_markdown

    with console.counter("demo") as tick:
        done = tell_story(
            output,
            lambda: datetime.now(UTC),
            seeds=seeds,
            jobs=jobs,
            tell=lambda words: typer.echo(words, err=True),
            progress=tick,
        )
    typer.echo(render_markdown(done.report))
    typer.echo(f"Report: {done.pages[0].resolve()}")
    typer.echo(f"Document: {done.document.resolve()}")
    for surprise in done.surprises:
        typer.echo(f"Not as it should be: {surprise}", err=True)
    raise typer.Exit(3 if done.surprises else 0)
