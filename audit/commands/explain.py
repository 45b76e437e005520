"""The verb ``explain``."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson


def explain(
    finding: Annotated[
        str, typer.Argument(help="The id of a finding, attempt or task, or its beginning.")
    ],
    document: Annotated[
        Path, typer.Option("--document", "-d", help="The audit document it stands in.")
    ] = Path("audit.json"),
    json: AsJson = False,
) -> None:
    """Show a finding with its evidence.

    An attempt's or a task's id shows all findings about it. The beginning of an id is enough where
    only one begins so.

    Example: mle-audit explain answers-read-0f3a9c21d0b4 -d audit.json
    """
    from reports.explain import explain_findings, findings_named
    from reports.schema import read_audit

    report = read_audit(document)
    found = findings_named(report, finding, document)
    if json:
        typer.echo("[" + ",\n".join(f.model_dump_json(indent=2) for f in found) + "]")
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        typer.echo(explain_findings(report, found, width))
