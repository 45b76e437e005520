"""The verb ``prepare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AllTasks, AsJson, CompetitionSet, Lite, SplitName, VariantName


def prepare(  # noqa: PLR0913, PLR0917 - each is an option
    competition: Annotated[
        list[str] | None, typer.Option("--competition", "-c", help="Repeatable.")
    ] = None,
    competition_set: CompetitionSet = None,
    split: SplitName = None,
    lite: Lite = False,
    all_: AllTasks = False,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where data lies. [default: $MLE_AUDIT_DATA, else a cache]")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            help="embedded, kaggle, local, miniature, or mlebench: --data-dir is MLE-bench's own "
            "and holds <id>/prepared/{public,private}. [default: the task's]"
        ),
    ] = None,
    raw: Annotated[
        Path | None,
        typer.Option(help="Folder of raw files, or Kaggle's zip of them, for --source local."),
    ] = None,
    checksums: Annotated[
        Path | None,
        typer.Option(help="MLE-bench's checksums.yaml, or a checkout of it, to compare with."),
    ] = None,
    description: Annotated[
        Path | None,
        typer.Option(
            help="The official text to hand out; of several tasks, a folder with <id>.md of each, "
            "or a checkout of MLE-bench."
        ),
    ] = None,
    variant: VariantName = "v1",
    keep_raw: Annotated[bool, typer.Option(help="Keep the raw files that were made.")] = False,
    force: Annotated[bool, typer.Option(help="Prepare anew and replace what is there.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="For --source miniature.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Tasks at once.")] = 1,
    json: AsJson = False,
) -> None:
    """Split raw files into public part and answers.

    --source kaggle downloads with your account, whose rules you accept on the web; a download that
    broke off goes on where it stopped. --source mlebench takes what MLE-bench prepared as it is,
    from --data-dir, and notices later changes. What is prepared stays as it is.

    Of several tasks one that fails stops no other: its row says why, stderr says what helps, and
    the call ends with 3, or 2 where it was misuse alone. Made again, it goes on with those that are
    not prepared.

    Example: mle-audit prepare -c spaceship-titanic --source miniature
    """
    from audit import console, preparing
    from audit.selection import chosen_competitions, split_named
    from competitions.data import default_data_dir
    from competitions.errors import UsageError
    from competitions.spec import variant_named

    chosen_split = split_named(split, lite=lite, everything=all_)
    root = data_dir or default_data_dir()
    names = chosen_competitions(competition or (), competition_set, chosen_split, root)
    if description is not None and description.is_file() and len(names) > 1:
        raise UsageError(
            f"{description} is the text of one task, and {len(names)} are named.",
            "Name one task, or a folder that has a text for each: <folder>/<id>.md",
        )
    options = preparing.Options(
        data_dir=root,
        variant=variant_named(variant),
        source=source,
        raw=raw,
        keep_raw=keep_raw,
        force=force,
        seed=seed,
        checksums=checksums,
        description=description,
    )
    for said in preparing.memory_warnings(names, options, jobs=jobs):
        typer.echo(f"warning: {said}", err=True)
    done: list[preparing.Result] = []
    try:
        with console.progress_bar("prepare") as show:
            if len(names) == 1:
                done.append(preparing.prepare_one(names[0], options, show))
            else:
                for result in preparing.prepare_many(names, options, jobs=jobs, show=show):
                    done.append(result)
                    show(len(done), len(names), result.competition)
    finally:  # also when it is interrupted: what is on disk by then is told
        if done:
            places = {name: place for place, name in enumerate(names)}
            done.sort(key=lambda result: places.get(result.name, 0))
            console.show(preparing.HEAD, [result.row for result in done], as_json=json)
    for result in done:
        if result.told is not None:
            typer.echo(result.told, err=True)
    if code := preparing.exit_code(done):
        raise typer.Exit(code)
