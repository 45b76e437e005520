"""The verb ``validate``."""

from __future__ import annotations

import json as jsons
from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir, VariantName


def validate(
    submission: Annotated[Path, typer.Argument(help="A submission file, .csv.")],
    competition: Annotated[str, typer.Argument(help="The task's id.")],
    data_dir: DataDir = None,
    variant: VariantName = "v1",
    json: AsJson = False,
) -> None:
    """Check a submission's form, without any answer.

    Ends with 1 when there are problems.

    Example: mle-audit validate submission.csv spaceship-titanic
    """
    from competitions.data import default_data_dir
    from competitions.prepared import load_prepared
    from competitions.spec import load, variant_named
    from competitions.submission import validate_file

    spec = load(competition, variant_named(variant))
    prepared = load_prepared(spec, data_dir or default_data_dir())
    problems = validate_file(submission, prepared.folder, prepared.schema)
    if json:
        typer.echo(jsons.dumps({"valid": not problems, "problems": problems}, indent=2))
    elif problems:
        typer.echo("\n".join(problems))
    else:
        typer.echo("The submission is valid.")
    raise typer.Exit(1 if problems else 0)
