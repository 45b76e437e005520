"""The verb `report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import Formats


def report(
    document: Annotated[Path, typer.Argument(help="An audit document, as `vet` writes it.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="A folder, or one file that ends in .html, .md, .sarif, .xml (JUnit) or .json.",
        ),
    ] = Path("site"),
    formats: Formats = None,
) -> None:
    """Render an audit document as a page and a summary, or for other tools.

    A folder gets index.html and summary.md, or what --format names: also results.sarif for code
    scanning, junit.xml for CI, and findings, verdicts, checks and tasks as CSV. Each is one file
    that needs nothing else.

    Example: mle-audit report audit.json --format html,sarif,junit,csv -o site/
    """
    from reports.render import formats_named, write_report
    from reports.schema import read_audit

    chosen = formats_named(formats) if formats is not None else ()
    for path in write_report(read_audit(document), output, chosen):
        typer.echo(path)
