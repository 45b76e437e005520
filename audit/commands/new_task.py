"""The verb ``new-task``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson


def new_task(
    folder: Annotated[
        Path,
        typer.Argument(help="Holds train.csv, test.csv, solution.csv and sample_submission.csv."),
    ],
    id_: Annotated[str, typer.Option("--id", help="Of the new task: letters, digits, hyphens.")],
    metric: Annotated[
        str, typer.Option(help="A metric's name, or a Python file with Kaggle's score function.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder for the task.")],
    direction: Annotated[
        str | None, typer.Option(help="higher or lower: which score is better. A file needs it.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Write a task's definition from a folder of Kaggle's form, and say what was guessed.

    The definition refers to the folder, which stays as it is. A metric's file is copied beside it
    and runs in a process of its own, with limits and, where bubblewrap works, without network. Look
    at the lines that say `look`, then check the whole with validate.

    Example: mle-audit new-task kaggle --id my-task --metric accuracy -o my-task
    """
    from audit import console
    from competitions.new_task import new_task as make

    found = make(folder, id_, metric, output, direction)
    rows = [(g.what, g.guess, "look" if g.look else "") for g in found]
    console.show(("what", "guess", "a person"), rows, as_json=json)
    if not json:
        typer.echo(f"Check it with: mle-audit validate {output / id_}.yaml", err=True)
