"""The verb ``grade``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import DataDir


def grade(
    runs: Annotated[list[Path], typer.Argument(help="Attempts, groups, or folders of groups.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the grading report here.")
    ] = None,
    data_dir: DataDir = None,
    json: Annotated[bool, typer.Option("--json", help="Print the grading report.")] = False,
) -> None:
    """Grade run groups: scores, medals, headline.

    The headline is each agent's mean ± standard error over seeds.

    The report has MLE-bench's keys; what they cannot say stands under mle_audit. An attempt that
    could not be graded is told on stderr and in the report; when none could be, it ends with 3. One
    that has not ended, or is planned and not made, counts in no figure, and the table says so.

    Example: mle-audit grade runs/ -o grading_report.json
    """
    from audit import console
    from audit.grading import grade_groups
    from competitions.data import default_data_dir
    from competitions.io import write_text
    from reports.tables import headline_notes, headline_rows, not_graded_alike, score_rows

    with console.counter("grade") as tell:
        report = grade_groups(runs, data_dir or default_data_dir(), datetime.now(UTC), tell)
    text = report.model_dump_json(indent=2)
    if output:
        write_text(output, text + "\n")
    if json:
        typer.echo(text)
    else:
        typer.echo(console.table(*score_rows(report)))
        typer.echo("\n" + console.table(*headline_rows(report)))
        for note in headline_notes(report):
            typer.echo(note)
    for why, attempts in not_graded_alike(report).items():
        typer.echo(f"not graded: {', '.join(attempts)}: {why}", err=True)
    if output:
        typer.echo(f"Report: {output}", err=True)
    if not report.competition_reports:
        raise typer.Exit(3)
