"""The verb ``counterexample`` with its own verbs ``build`` and ``check``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import AsJson, DataDir

if TYPE_CHECKING:
    from audit.counterexample_separation import Separation

counterexample = typer.Typer(
    help="Build tasks that only a careful validation split survives, and check others.\n\n"
    "Example: mle-audit counterexample build --embedded breast-cancer -o my-task",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class TrapName(StrEnum):
    """Kinds of trap."""

    DUPLICATED = "duplicated"
    FUZZY = "fuzzy"
    TEMPORAL = "temporal"
    PROXY = "proxy"
    PREPROCESSING = "preprocessing"


class CanaryName(StrEnum):
    """Kinds of planted files."""

    ANSWERS = "answers"
    VALIDATOR = "validator"


Seed = Annotated[int, typer.Option(min=0, help="The same one gives the same task.")]
Seeds = Annotated[int, typer.Option(min=2, max=100, help="Rounds of both agents.")]


@counterexample.command()
def build(  # noqa: PLR0913, PLR0917 - each is an option
    data: Annotated[Path | None, typer.Argument(help="A CSV file.")] = None,
    target: Annotated[str | None, typer.Option(help="The column to be predicted.")] = None,
    group: Annotated[
        str | None, typer.Option(help="The column that names what a row is about.")
    ] = None,
    time: Annotated[str | None, typer.Option(help="The column that orders rows in time.")] = None,
    embedded: Annotated[
        str | None,
        typer.Option(
            help="Instead of a file: breast-cancer, digits, diabetes, place-names, health-visits "
            "or health-diseases."
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder.")] = Path("my-task"),
    id_: Annotated[
        str | None, typer.Option("--id", help="Of the new task. [default: the folder's name]")
    ] = None,
    trap: Annotated[TrapName, typer.Option(help="What a naive validation does not see.")] = (
        TrapName.DUPLICATED
    ),
    canary: Annotated[
        list[CanaryName] | None,
        typer.Option(help="Plant false answers, or a validator that scores by them. Repeatable."),
    ] = None,
    plant: Annotated[
        bool, typer.Option("--plant", help="Copy rows also where the table has groups or times.")
    ] = False,
    metric: Annotated[
        str | None,
        typer.Option(help="auc-roc, log-loss, accuracy, macro-f1, rmse or mae."),
    ] = None,
    copies: Annotated[
        str | None, typer.Option(help="Rows per thing, least-most. [default: 4-6]")
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of things with a false target. [default: 0.3]"),
    ] = None,
    marks: Annotated[
        int | None, typer.Option(min=0, max=1000, help="Columns that tell a thing. [default: 40]")
    ] = None,
    seed: Seed = 0,
    seeds: Seeds = 5,
    json: AsJson = False,
) -> None:
    """Build a task from a table, or say why it would not tell a careful agent from a naive one.

    In the train part rows of one thing stand all over; the hidden test holds other things. A group
    or time of the table's own is taken as it is; else rows are copied with a little noise, with
    targets that are false for all rows of a thing, and with columns that tell things apart. A naive
    and a careful agent try the task and fresh builds of it, and the pass line is put between them.
    Ends with 1, and writes nothing, where they do not differ by three standard errors.

    Example: mle-audit counterexample build data.csv --target y --group patient_id -o my-task
    """
    from dataclasses import replace

    from audit import console
    from audit.counterexample import build as make
    from audit.counterexample import recipe_for
    from competitions.errors import UsageError
    from competitions.trap_tables import embedded_origin, read_origin

    if (data is None) == (embedded is None):
        raise UsageError("Expected a CSV file or --embedded NAME, one of the two.")
    if embedded is not None:
        if target or group or time:
            raise UsageError("--target, --group and --time go with a file, not with --embedded.")
        origin = embedded_origin(embedded)
    elif data is not None and target is not None:
        origin = read_origin(data, target, group, time, metric)
    else:
        raise UsageError("Expected --target COLUMN: what is to be predicted.")
    if plant:
        origin = replace(origin, plants=True)
    changed = {"copies": _copies(copies), "noise": noise, "marks": marks}
    recipe = recipe_for(
        origin, trap.value, **{name: value for name, value in changed.items() if value is not None}
    )
    with console.counter("counterexample build") as tell:
        built = make(
            origin,
            recipe,
            output,
            id_ or output.resolve().name,
            metric=metric,
            canaries=[one.value for one in canary or ()],
            seed=seed,
            seeds=seeds,
            tell=tell,
        )
    _show(built.separation, as_json=json)
    if built.definition is None:
        _refuse(built.separation, built.advice)
    path, data_dir = built.definition, output / "data"
    typer.echo(f"Written: {path}", err=True)
    typer.echo(f"Try it: mle-audit run --agent baseline -c {path} --data-dir {data_dir}", err=True)


@counterexample.command()
def check(
    task: Annotated[Path, typer.Argument(help="A task's folder or definition, anyone's.")],
    data_dir: DataDir = None,
    seed: Seed = 0,
    seeds: Seeds = 5,
    json: AsJson = False,
) -> None:
    """See whether a task tells a careful agent from a naive one, as its record of a trap says.

    Both agents try it; each time they learn from another four fifths of the train part. Ends with
    1 where they do not differ, or where one of them is on the wrong side of the pass line.

    Example: mle-audit counterexample check my-task
    """
    from audit import console
    from audit.counterexample_check import check_task

    with console.counter("counterexample check") as tell:
        found = check_task(task, data_dir, seed=seed, seeds=seeds, tell=tell)
    _show(found, as_json=json)
    if found.problems:
        _refuse(found, "")


def _copies(given: str | None) -> tuple[int, int] | None:
    from competitions.errors import UsageError

    if given is None:
        return None
    low, _, high = given.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal() and 1 <= int(low) <= int(high or low)):
        raise UsageError(f"Expected --copies LEAST-MOST such as 4-6, found {given!r:.40}.")
    if int(high or low) > _MAX_COPIES:
        raise UsageError(f"Expected at most {_MAX_COPIES} copies, found {given!r:.40}.")
    return int(low), int(high or low)


_MAX_COPIES = 50


def _show(found: Separation, *, as_json: bool) -> None:
    from audit import console
    from audit.counterexample_words import rows_of

    console.show(("fact", "naive", "careful"), rows_of(found), as_json=as_json)


def _refuse(found: Separation, advice: str) -> None:
    for problem in (*found.problems, *filter(None, [advice])):
        typer.echo(problem, err=True)
    raise typer.Exit(1)
