"""The verb ``list``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson


def list_(
    what: Annotated[
        str, typer.Argument(help="competitions, boards, detectors, agents or findings.")
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
    json: AsJson = False,
) -> None:
    """List tasks, boards, detectors, agents or findings.

    Boards are all Kaggle boards that ship, also those whose task is not here yet. The health of a
    board says where it does not tell attempts apart: medals that start at one score, teams tied at
    a threshold, a tenth of the board or more at one score.

    A task whose definition or board is broken says so in its row; the call ends with 0 all the
    same.

    Example: mle-audit list competitions
    """
    from audit import console
    from audit.listing import listing

    console.show(*listing(what, document, name), as_json=json)
