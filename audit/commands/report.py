"""The verb `report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def report(
    document: Annotated[Path, typer.Argument(help="An audit document, as `vet` writes it.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="A folder, or one file that ends in .html or .md."),
    ] = Path("site"),
) -> None:
    """Render an audit document as a page and a summary.

    A folder gets index.html and summary.md. Each is one file that needs nothing else.

    Example: mle-audit report audit.json -o site/
    """
    from reports.render import write_report
    from reports.schema import read_audit

    for path in write_report(read_audit(document), output):
        typer.echo(path)
