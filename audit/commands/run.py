"""The verb ``run``: an agent on tasks, in a sandbox."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from audit.options import (
    AllTasks,
    AsJson,
    CompetitionSet,
    DataDir,
    DryRun,
    Engine,
    Jobs,
    Lite,
    SplitName,
    VariantName,
)
from audit.runner.limits import MAX_ATTEMPTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from audit.runner.limits import Limits
    from audit.runner.model_endpoint import ModelEndpoint
    from detectors.record import ExitStatus

_Number = TypeVar("_Number", int, float)
_CONFLICT = "The tasks, seeds and limits of a group stand in its plan.json."
_FOR_RESUME = frozenset({"resume", "agent", "data_dir", "jobs", "engine", "dry_run", "json"})


def now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)


def run(  # noqa: PLR0913, PLR0917 - each is an option
    context: typer.Context,
    agent: Annotated[
        str | None, typer.Option(help="An agent's id, or a folder that holds one.")
    ] = None,
    competition: Annotated[
        list[str] | None, typer.Option("--competition", "-c", help="Repeatable.")
    ] = None,
    competition_set: CompetitionSet = None,
    split: SplitName = None,
    lite: Lite = False,
    all_: AllTasks = False,
    seeds: Annotated[int, typer.Option(min=1, max=MAX_ATTEMPTS, help="Seeds 0 to N-1.")] = 1,
    run_dir: Annotated[Path, typer.Option(help="Where the run group's folder is made.")] = Path(
        "runs"
    ),
    data_dir: DataDir = None,
    time_limit: Annotated[
        str | None, typer.Option(help="Per attempt: 600, 10m or 24h. [default: the agent's, or 1h]")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="Per attempt: 500M or 2G. [default: the agent's, or none]")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(help="Per attempt, threads too. [default: 4096]")
    ] = None,
    disk: Annotated[
        str | None, typer.Option(help="Per attempt, its folders together. [default: 20G]")
    ] = None,
    output_limit: Annotated[
        str | None, typer.Option(help="What an attempt may print. [default: 1G]")
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="What numeric libraries are told to use.")
    ] = 1,
    sandbox: Annotated[
        str,
        typer.Option(
            help="bubblewrap; docker, for agents that come as an image; none: no protection."
        ),
    ] = ("bubblewrap"),
    jobs: Jobs = 1,
    engine: Engine = "loky",
    variant: VariantName = "v1",
    snapshot_every: Annotated[
        str | None, typer.Option(help="Keep a copy of the submission every 10m or 1h.")
    ] = None,
    description: Annotated[
        str, typer.Option(help="prepared, or obfuscated: without names and story.")
    ] = "prepared",
    model_endpoint: Annotated[
        str | None,
        typer.Option(help="The one address an attempt may reach: https://api.openai.com/v1."),
    ] = None,
    model_key_env: Annotated[
        str | None,
        typer.Option(help="The variable that holds its key; it is added outside the sandbox."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="A group's folder: make what is missing in it.")
    ] = None,
    dry_run: DryRun = False,
    json: AsJson = False,
) -> None:
    """Run an agent on tasks, each attempt in a sandbox.

    Ends with 0 when all attempts were made, also when some crashed or handed in nothing: the table
    and each attempt.json say so. With --resume the agent, the tasks and the limits are those the
    group was begun with; attempts that have ended stay as they are, and those that another runner
    works on are left to it. There --agent only says where the same agent lies now.

    Example: mle-audit run --agent baseline -c breast-cancer --seeds 3 --time-limit 10m --memory 2G
    """
    from audit import run_front
    from audit.runner.agent import load_agent
    from audit.runner.forecast import forecast
    from audit.runner.group import RunOptions, run_group, units_of
    from audit.runner.limits import parse_duration
    from audit.runner.tasks import load_tasks
    from audit.selection import chosen_competitions, split_named
    from competitions.data import default_data_dir
    from competitions.errors import UsageError

    if resume is not None:
        _refuse_beside_resume(context)
        folder = Path(agent) if agent else None
        go_on(resume, data_dir, folder, jobs=jobs, engine=engine, dry_run=dry_run, json=json)
        return
    if agent is None:
        raise UsageError("Expected --agent ID, or --resume GROUP.", "See: mle-audit list agents")
    chosen_split = split_named(split, lite=lite, everything=all_)
    root = data_dir or default_data_dir()
    names = chosen_competitions(competition or (), competition_set, chosen_split, root)
    chosen = load_agent(agent)
    declared = chosen.definition.budget
    options = RunOptions(
        _limits(
            time_limit if time_limit is not None else declared.wall_clock or "1h",
            memory if memory is not None else declared.memory,
            processes,
            disk,
            output_limit,
            threads,
        ),
        now,
        sandbox,
        jobs=jobs,
        engine=engine,
        snapshot_every_s=_read("--snapshot-every", parse_duration, snapshot_every)
        if snapshot_every is not None
        else None,
        description=description,
        model_endpoint=_endpoint(model_endpoint, model_key_env),
    )
    tasks = load_tasks(names, variant, root)
    if dry_run:
        units = units_of(tasks, range(seeds), options)
        told = forecast(chosen, units, options.limits, jobs, run_dir)
        run_front.show_forecast(told, units, as_json=json)
        return
    if sandbox == "none":
        run_front.warn_unprotected()
    run_front.show_work(
        chosen.id,
        lambda progress, begun: run_group(
            chosen, tasks, range(seeds), run_dir, options, progress, begun
        ),
        as_json=json,
    )


def _endpoint(url: str | None, key_env: str | None) -> ModelEndpoint | None:
    """Read what may be reached, and where its key is."""
    from audit.runner.model_endpoint import EXAMPLE, ModelEndpoint
    from competitions.errors import UsageError

    if url is None and key_env is not None:
        raise UsageError("--model-key-env says nothing without --model-endpoint.", EXAMPLE)
    return None if url is None else ModelEndpoint(url, key_env)


def _refuse_beside_resume(context: typer.Context) -> None:
    """Refuse options that a group's plan has decided: they would have no effect."""
    from competitions.errors import UsageError

    named = [
        option.opts[0]
        for option in context.command.params
        if option.name not in _FOR_RESUME
        and getattr(context.get_parameter_source(option.name), "name", "") == "COMMANDLINE"
    ]
    if named:
        raise UsageError(
            f"--resume does not take {', '.join(named)}. {_CONFLICT}",
            "To run with others, begin another group.",
        )


def go_on(  # noqa: PLR0913 - each is an option
    group: Path,
    data_dir: Path | None,
    agent: Path | None = None,
    again: frozenset[ExitStatus] = frozenset(),
    *,
    jobs: int,
    engine: str,
    dry_run: bool,
    json: bool,
) -> None:
    """Make what is left to do in a group, or say what it would take."""
    from audit import run_front
    from audit.runner.forecast import forecast
    from audit.runner.resume import rest_of, resume_group, settle

    rest = rest_of(group, data_dir, again, agent)
    if dry_run:
        told = forecast(rest.agent, rest.units, rest.plan.limits, jobs, group)
        run_front.show_forecast(told, rest.units, as_json=json)
        return

    if not rest.units:
        settle(group, rest)
        run_front.show_nothing_left(group, rest.ended, as_json=json)
        return
    if rest.plan.sandbox == "none":
        run_front.warn_unprotected()

    def work(progress: run_front.Progress, begun: Callable[[Path], None]) -> Path:
        begun(group)
        resume_group(group, rest, now, jobs=jobs, engine=engine, again=again, progress=progress)
        return group

    run_front.show_work(rest.agent.id, work, as_json=json)


def _limits(
    time_limit: str,
    memory: str | None,
    processes: int | None,
    disk: str | None,
    output_limit: str | None,
    threads: int,
) -> Limits:
    from audit.runner import limits

    return limits.Limits(
        _read("--time-limit", limits.parse_duration, time_limit),
        _read("--memory", limits.parse_size, memory) if memory is not None else None,
        threads=threads,
        processes=processes if processes is not None else limits.DEFAULT_PROCESSES,
        disk_bytes=_read("--disk", limits.parse_size, disk)
        if disk is not None
        else limits.DEFAULT_DISK_BYTES,
        output_bytes=_read("--output-limit", limits.parse_size, output_limit)
        if output_limit is not None
        else limits.DEFAULT_OUTPUT_BYTES,
    )


def _read(option: str, parse: Callable[[str], _Number], text: str) -> _Number:
    """Read what an option was given, and name it where that cannot be read."""
    from competitions.errors import UsageError

    try:
        return parse(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error.problem}", error.remedy) from error
