"""The verb ``reproduce``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import AsJson, DryRun, Engine

if TYPE_CHECKING:
    from audit.reproduction.config import Plan


def now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


def reproduce(
    config: Annotated[Path, typer.Argument(help="What to reproduce: a YAML file.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for runs, audit and document.")
    ] = Path("reproduction"),
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    engine: Engine = "loky",
    dry_run: DryRun = False,
    json: AsJson = False,
) -> None:
    """Run an agent and a baseline on frozen data, and compare them in one document.

    Prepares the tasks, freezes them by digest, makes several independent runs of both agents,
    grades and vets them all. Called again on a folder that was interrupted, it goes on; runs that
    have ended stay as they are. Ends as vet does: with 1 when a verdict is at or above --fail-on,
    3 when something could not be audited.

    Example: mle-audit reproduce reproduce.yaml -o reproduction
    """
    from audit import console
    from audit.reproduction.config import read_plan
    from audit.reproduction.markdown import render_markdown
    from audit.reproduction.reproduce import DOCUMENT, PAGE
    from audit.reproduction.reproduce import reproduce as make
    from audit.verdict import exit_code, fail_on_named

    limit = fail_on_named(fail_on)
    plan = read_plan(config)
    if dry_run:
        show_outlook(plan, output, as_json=json)
        return
    with console.counter("reproduce") as tick:
        done = make(
            plan,
            output,
            now,
            engine=engine,
            tell=lambda words: typer.echo(words, err=True),
            progress=tick,
        )
    document = done.document
    typer.echo(document.model_dump_json(indent=2) if json else render_markdown(document).rstrip())
    if not done.made:
        typer.echo("Nothing was left to run.", err=True)
    for name in (DOCUMENT, PAGE):
        typer.echo(f"Written: {output / name}", err=True)
    raise typer.Exit(exit_code(done.report.verdicts, limit))


def show_outlook(plan: Plan, output: Path, *, as_json: bool) -> None:
    """Print what is left to run and what it would take at most."""
    import json as jsons

    from audit import console, outcomes
    from audit.reproduction.reproduce import outlook

    found = outlook(plan, output, now)
    if as_json:
        told = [{"agent": o.agent} | outcomes.forecast_document(o.told, o.units) for o in found]
        typer.echo(jsons.dumps({"dry_run": True, "agents": told}, indent=2))
        return
    rows = [
        (o.agent, spec.id, ", ".join(str(u.seed) for u in o.units if u.task.spec == spec) or "none")
        for o in found
        for spec in plan.specs
    ]
    typer.echo(console.table(("agent", "competition", "seeds left to run"), rows))
    for one in found:
        head = (f"a dry run of {one.agent}", "nothing was started")
        typer.echo("\n" + console.table(head, outcomes.forecast_rows(one.told)))
