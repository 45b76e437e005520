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
    anonymise: Annotated[
        bool,
        typer.Option("--anonymise", help="Take out users, hosts and absolute paths, in all files."),
    ] = False,
    anonymise_agents: Annotated[
        bool, typer.Option("--anonymise-agents", help="The same, and the names of agents.")
    ] = False,
    hide: Annotated[
        list[str] | None,
        typer.Option(help="With --anonymise: one more name to take out. Repeatable."),
    ] = None,
) -> None:
    """Render an audit document as a page and a summary, or for other tools.

    A folder gets index.html and summary.md, or what --format names: also results.sarif for code
    scanning, junit.xml for CI, and findings, verdicts, checks and tasks as CSV. Each is one file
    that needs nothing else.

    --anonymise knows a name by where it stands, such as a home folder or a prompt; look before you
    publish, and name with --hide what is left. --format json writes the document so changed.

    Example: mle-audit report audit.json --format html,sarif,junit,csv -o site/
    """
    from audit.anonymise import anonymise as anonymised
    from competitions.errors import UsageError
    from reports.render import formats_named, write_report
    from reports.schema import read_audit

    chosen = formats_named(formats) if formats is not None else ()
    if hide and not (anonymise or anonymise_agents):
        raise UsageError(
            "Expected --anonymise with --hide; found --hide alone.",
            "Take names out: mle-audit report audit.json --anonymise --hide NAME",
        )
    shown = read_audit(document)
    if anonymise or anonymise_agents:
        shown = anonymised(shown, agents=anonymise_agents, hide=hide or ())
    for path in write_report(shown, output, chosen, keep=[document]):
        typer.echo(path)
