"""The verb ``rules``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import ExistingDataDir, Jobs, PolicyName

_STDOUT = Path("-")


def rules(  # noqa: PLR0913, PLR0917 - each is an option
    sources: Annotated[
        list[Path],
        typer.Argument(help="Attempts, groups, or log files and folders of logs of any tool."),
    ],
    json: Annotated[Path, typer.Option("--json", help="The audit document; - prints it.")] = Path(
        "rules.json"
    ),
    html: Annotated[
        Path | None, typer.Option(help="Also write a page with the lines that show it.")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Run only this detector of the family. Repeatable.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
    data_dir: ExistingDataDir = None,
    jobs: Jobs = 1,
    reveal_private: Annotated[
        bool, typer.Option("--reveal-private", help="Show what evidence knows from hidden data.")
    ] = False,
) -> None:
    """Read agents' logs and code: which rule was broken, and the lines that show it.

    What is no attempt is a log, or a folder of logs and code that counts as one piece of work; as
    which format each was read is told. A file that cannot be read stops nothing. Ends as vet does:
    with 1 when a verdict is at or above --fail-on, 3 when something could not be looked at.

    Example: mle-audit rules runs/ --html rules.html
    """
    import shutil
    import sys

    from audit import console
    from audit.broken_rules import conclusions, rule_table
    from audit.rules import rules as ask
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir
    from reports.render import require_place, write_report
    from reports.schema import write_audit

    limit = fail_on_named(fail_on)
    if html:
        require_place(html)
    with console.progress_bar("rules") as bar:
        report = ask(
            sources,
            data_dir or default_data_dir(),
            load_policy(policy),
            datetime.now(UTC),
            select=select or (),
            reveal_private=reveal_private,
            jobs=jobs,
            progress=bar,
        )
    if json == _STDOUT:
        typer.echo(report.model_dump_json(indent=2))
    else:
        write_audit(report, json)
        typer.echo(f"Written: {json}", err=True)
        width = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None
        if table := rule_table(report, width):
            typer.echo(table)
        for line in conclusions(report, json):
            typer.echo(line)
    for page in write_report(report, html) if html else ():
        typer.echo(f"Written: {page}", err=True)
    raise typer.Exit(exit_code(report.verdicts, limit))
