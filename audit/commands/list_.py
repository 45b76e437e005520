"""The verb ``list``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir


def list_(
    what: Annotated[
        str, typer.Argument(help="competitions, boards, detectors, agents, policies or findings.")
    ],
    name: Annotated[
        str | None,
        typer.Argument(
            help="For findings: the id of a finding, attempt or task, or its beginning."
        ),
    ] = None,
    document: Annotated[
        Path, typer.Option("--document", "-d", help="For findings: the audit document.")
    ] = Path("audit.json"),
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """List tasks, boards, detectors, agents, policies or findings.

    Boards are all Kaggle boards that ship, also those whose task is not here yet. The health of a
    board says where it does not tell attempts apart: medals that start at one score, teams tied at
    a threshold, a tenth of the board or more at one score.

    The first line of a task says its split of the benchmark (low, medium, high, dev, or embedded),
    where its raw files come from and which variants are prepared in the data directory.

    A task whose definition or board is broken says so in its row; the call ends with 0 all the
    same.

    Example: mle-audit list competitions
    """
    from audit import console
    from audit.listing import LEAD, listing

    head, rows = listing(what, document, name, data_dir)
    if what == "competitions" and not json:
        typer.echo(console.entries(head, rows, len(LEAD)))
    elif what == "findings" and not rows and not json:
        typer.echo(f"No finding in {document}{f' about {name}' if name else ''}.")
    else:
        console.show(head, rows, as_json=json)
