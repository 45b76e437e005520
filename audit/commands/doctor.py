"""The verb ``doctor``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir


def doctor(
    data_dir: DataDir = None,
    run_dir: Annotated[Path, typer.Option(help="Where attempts would be made.")] = Path("runs"),
    json: AsJson = False,
) -> None:
    """Say what this machine can and cannot do, and what helps.

    One row per capability: ok, limited (there, with a drawback), missing, or unknown. Nothing is
    written to stay, no network is touched, no secret is shown.

    Ends with 0 when agents can be run here: the sandbox works and the data, run, cache and
    temporary folders can be written. Else with 3.

    Example: mle-audit doctor --run-dir runs
    """
    from audit import console
    from audit.doctor import diagnose, is_able, this_machine
    from audit.runner.interpreter import default_cache
    from competitions.data import default_data_dir

    around = this_machine(
        data_dir or default_data_dir(), run_dir, default_cache(), datetime.now(UTC)
    )
    rows = diagnose(around)
    head = ("capability", "status", "needed", "means", "remedy")
    if json:
        cells = [(r.capability, r.status, r.is_needed, r.means, r.remedy) for r in rows]
        console.show(head, cells, as_json=True)
    else:
        lines = [(r.capability, r.status, (r.means, r.remedy and f"→ {r.remedy}")) for r in rows]
        typer.echo(console.wrapped(lines))
        absent = ", ".join(r.capability for r in rows if not is_able([r]))
        typer.echo(f"\nAgents cannot be run here: see {absent}." if absent else
                   "\nAgents can be run here.")  # fmt: skip
    raise typer.Exit(0 if is_able(rows) else 3)
