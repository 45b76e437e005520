"""The verb ``retry``: attempts of a group that failed are made again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir, DryRun, Engine, Jobs


def retry(  # noqa: PLR0913, PLR0917 - each is an option
    group: Annotated[Path, typer.Argument(help="The folder of a run group.")],
    status: Annotated[
        list[str] | None,
        typer.Option(help="Exit status to try again. Repeatable. [default: crashed, killed]"),
    ] = None,
    data_dir: DataDir = None,
    jobs: Jobs = 1,
    engine: Engine = "loky",
    dry_run: DryRun = False,
    json: AsJson = False,
) -> None:
    """Try failed attempts of a group again, with the same seeds and limits.

    What an earlier try left moves to retried-N in the attempt's folder. The record names how each
    earlier try ended, and so does every report: a result that took three tries is another one.

    Example: mle-audit retry runs/2026-01-02T03-04-05-GMT_run-group_baseline --status crashed
    """
    from audit.commands.run import go_on
    from audit.runner.resume import FAILED, statuses_named

    again = statuses_named(status or FAILED)
    go_on(group, data_dir, None, again, jobs=jobs, engine=engine, dry_run=dry_run, json=json)
