"""The verb ``run``: an agent on tasks, in a sandbox."""

from __future__ import annotations

import json as jsons
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import AsJson, DataDir, VariantName

if TYPE_CHECKING:
    from audit.runner.group import Done

_HEAD = ("competition", "seed", "exit", "seconds", "peak memory", "submission", "attempt")


def _now() -> datetime:
    return datetime.now(UTC)


def run(  # noqa: PLR0913, PLR0917 - each is an option
    agent: Annotated[str, typer.Option(help="An agent's id, or a folder that holds one.")],
    competition: Annotated[list[str], typer.Option("--competition", "-c", help="Repeatable.")],
    seeds: Annotated[int, typer.Option(min=1, help="Seeds 0 to N-1.")] = 1,
    run_dir: Annotated[Path, typer.Option(help="Where the run group's folder is made.")] = Path(
        "runs"
    ),
    data_dir: DataDir = None,
    time_limit: Annotated[str, typer.Option(help="Per attempt: 600, 10m or 24h.")] = "1h",
    memory: Annotated[str | None, typer.Option(help="Per attempt: 500M or 2G.")] = None,
    sandbox: Annotated[str, typer.Option(help="bubblewrap, or none: no protection.")] = (
        "bubblewrap"
    ),
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Attempts at once.")] = 1,
    engine: Annotated[str, typer.Option(help="loky or threading.")] = "loky",
    variant: VariantName = "v1",
    json: AsJson = False,
) -> None:
    """Run an agent on tasks, each attempt in a sandbox.

    Ends with 0 when all attempts were made, also when some crashed or handed in nothing: the table
    and each attempt.json say so.

    Example: mle-audit run --agent baseline -c breast-cancer --seeds 3 --time-limit 10m --memory 2G
    """
    from audit import console
    from audit.runner.agent import load_agent
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits, parse_duration, parse_size
    from audit.runner.tasks import load_tasks
    from competitions.data import default_data_dir

    chosen = load_agent(agent)
    limits = Limits(parse_duration(time_limit), parse_size(memory) if memory else None)
    options = RunOptions(limits, _now, sandbox, jobs=jobs, engine=engine)
    tasks = load_tasks(competition, variant, data_dir or default_data_dir())
    finished: list[Done] = []
    with console.progress_bar(chosen.id) as show:

        def progress(done: int, total: int, last: Done) -> None:
            finished.append(last)
            show(done, total, last.unit.attempt_id)

        group = run_group(chosen, tasks, range(seeds), run_dir, options, progress)
    finished.sort(key=lambda d: (d.unit.task.spec.id, d.unit.seed))
    if json:
        typer.echo(jsons.dumps(_document(group, finished), indent=2))
        return
    typer.echo(console.table(_HEAD, [_row(done) for done in finished]))
    typer.echo(f"\nGroup: {group}")


def _row(done: Done) -> tuple[str, ...]:
    from audit.runner.limits import show_size

    unit, record = done.unit, done.record
    start = (unit.task.spec.id, str(unit.seed))
    if record is None:
        return (*start, "crashed", "", "", "none", unit.attempt_id)
    ended = record.ended_at or record.started_at
    seconds = f"{(ended - record.started_at).total_seconds():.1f}"
    peak = show_size(record.peak_memory_bytes) if record.peak_memory_bytes else "unknown"
    exit_status = record.exit_status.replace("_", " ")
    submission = "yes" if record.submission_sha256 else "none"
    return (*start, exit_status, seconds, peak, submission, record.attempt_id)


def _document(group: Path, finished: list[Done]) -> dict[str, object]:
    return {
        "run_group": group.name,
        "path": str(group),
        "attempts": [
            d.record.model_dump(mode="json")
            if d.record
            else {"attempt_id": d.unit.attempt_id, "exit_status": "crashed"}
            for d in finished
        ],
    }
