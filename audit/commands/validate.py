"""The verb ``validate``."""

from __future__ import annotations

import json as jsons
from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir, VariantName


def validate(
    submission: Annotated[
        Path, typer.Argument(help="A submission, .csv, or the definition of a task, .yaml.")
    ],
    competition: Annotated[
        str | None, typer.Argument(help="For a submission: the task's id, or its .yaml.")
    ] = None,
    data_dir: DataDir = None,
    variant: VariantName = "v1",
    raw: Annotated[
        Path | None, typer.Option(help="For a definition: the folder of its raw files.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Check a submission's form without any answer, or the definition of a task.

    A definition is checked in all its variants as the tests check those that ship: it is prepared
    in a temporary folder, and seven submissions are graded. Where it has no `expect:` yet, what
    they score is printed. Ends with 1 when there are problems, and with 3 when there are none but
    something could not be looked at.

    Example: mle-audit validate submission.csv spaceship-titanic
    """
    from competitions.data import default_data_dir
    from competitions.errors import UsageError
    from competitions.outside import is_definition, named
    from competitions.prepared import load_prepared
    from competitions.spec import variant_named
    from competitions.submission import validate_file

    if is_definition(str(submission)) and competition is None:
        raise typer.Exit(_check_definition(submission, raw, as_json=json))
    if competition is None or raw is not None:
        raise UsageError(
            "Expected a submission and its task, or a task's definition alone.",
            "See: mle-audit validate --help",
        )
    root = data_dir or default_data_dir()
    prepared = load_prepared(named(competition, variant_named(variant), root), root)
    problems = validate_file(submission, prepared.folder, prepared.schema)
    if json:
        typer.echo(jsons.dumps({"valid": not problems, "problems": problems}, indent=2))
    elif problems:
        typer.echo("\n".join(problems))
    else:
        typer.echo("The submission is valid.")
    raise typer.Exit(1 if problems else 0)


def _check_definition(path: Path, raw: Path | None, *, as_json: bool) -> int:
    from audit import console
    from audit.definition import check_definition

    checked = check_definition(path, raw)
    if as_json:
        head = ("variant", "check", "result", "said")
        rows = [dict(zip(head, row, strict=True)) for row in checked.rows]
        typer.echo(jsons.dumps({"checks": rows, "proposed": checked.proposed}, indent=2))
        return checked.exit_code
    typer.echo(console.table(("variant", "check", "result", "said"), checked.rows))
    if checked.proposed:
        typer.echo("\nThere is no expect: yet. If these scores are right, write into the YAML:")
        typer.echo("expect:")
        for variant, scores in checked.proposed.items():
            said = ", ".join(f"{name}: {score}" for name, score in scores.items())
            typer.echo(f"  {variant}: {{{said}}}")
    return checked.exit_code
