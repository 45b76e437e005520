"""The verb ``shake-up``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, ExistingDataDir, VariantName


def shake_up(
    competition: Annotated[str, typer.Argument(help="The task's id, or its .yaml.")],
    submissions: Annotated[list[Path], typer.Argument(help="Submission files, .csv.")],
    data_dir: ExistingDataDir = None,
    variant: VariantName = "v1",
    json: AsJson = False,
) -> None:
    """Score submissions on public and private rows, and say how their places change.

    For tasks whose answers have a column Usage, as new-task makes them. Ends with 1 when a
    submission has no score.

    Example: mle-audit shake-up my-task first.csv second.csv
    """
    from audit import console
    from competitions.data import default_data_dir
    from competitions.outside import named
    from competitions.shake_up import shake_up as shaken
    from competitions.spec import variant_named

    root = data_dir or default_data_dir()
    found = shaken(named(competition, variant_named(variant), root), submissions, root)
    head = ("submission", "public", "private", "public rank", "private rank", "change", "note")
    rows = [
        (
            str(s.submission),
            *(s.public, s.private, s.public_rank, s.private_rank),
            s.change if json or s.change is None else f"{s.change:+d}",
            s.problem or "",
        )
        for s in found
    ]
    console.show(head, rows, as_json=json)
    raise typer.Exit(1 if any(s.problem for s in found) else 0)
