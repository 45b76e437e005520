"""The verb ``grade-sample``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import ExistingDataDir, VariantName


def grade_sample(
    submission: Annotated[Path, typer.Argument(help="A submission file, .csv.")],
    competition: Annotated[str, typer.Argument(help="The task's id, or its .yaml.")],
    data_dir: ExistingDataDir = None,
    variant: VariantName = "v1",
    json: Annotated[bool, typer.Option("--json", help="Print it with MLE-bench's keys.")] = False,
) -> None:
    """Grade one submission file.

    Ends with 1 when it is invalid or missing, and with 3 when a metric that is the task's own file
    failed.

    Example: mle-audit grade-sample submission.csv spaceship-titanic
    """
    from audit import console
    from competitions.data import default_data_dir
    from competitions.grade import grade
    from competitions.outside import named
    from competitions.spec import variant_named
    from reports.grading import grade_rows, report_of

    root = data_dir or default_data_dir()
    spec = named(competition, variant_named(variant), root)
    graded = grade(spec, submission, root)
    report = report_of(graded, datetime.now(UTC))
    if json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        typer.echo(console.table(*grade_rows(report)))
        for problem in graded.problems:
            typer.echo(f"problem: {problem}", err=True)
        if graded.error:
            typer.echo(graded.error, err=True)
    raise typer.Exit(graded.exit_code)
