"""The verb ``prepare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import AllTasks, AsJson, CompetitionSet, Lite, SplitName, VariantName

if TYPE_CHECKING:
    from competitions.prepare import Prepared


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
        typer.Option(help="The official text to hand out, or a checkout of MLE-bench that has it."),
    ] = None,
    variant: VariantName = "v1",
    keep_raw: Annotated[bool, typer.Option(help="Keep the raw files that were made.")] = False,
    force: Annotated[bool, typer.Option(help="Prepare anew and replace what is there.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="For --source miniature.")] = 0,
    json: AsJson = False,
) -> None:
    """Split raw files into public part and answers.

    --source kaggle downloads with your account, whose rules you accept on the web; a download that
    broke off goes on where it stopped. --source mlebench takes what MLE-bench prepared as it is,
    from --data-dir, and notices later changes. What is prepared stays as it is. Where one task
    fails, what was prepared before it is told first.

    Example: mle-audit prepare -c spaceship-titanic --source miniature
    """
    from audit import console
    from audit.selection import chosen_competitions, split_named
    from competitions.data import default_data_dir
    from competitions.outside import named
    from competitions.prepare import prepare as prepare_task
    from competitions.spec import variant_named

    chosen_split = split_named(split, lite=lite, everything=all_)
    root = data_dir or default_data_dir()
    names = chosen_competitions(competition or (), competition_set, chosen_split, root)
    specs = [named(name, variant_named(variant), root) for name in names]
    rows: list[tuple[str, ...]] = []
    try:
        with console.progress_bar("prepare") as show:
            for number, spec in enumerate(specs, start=1):
                done = prepare_task(
                    spec,
                    root,
                    source,
                    raw,
                    keep_raw=keep_raw,
                    force=force,
                    seed=seed,
                    checksums=checksums,
                    description=description,
                    show=show,
                )
                rows.append((spec.id, spec.variant, done.source, _result(done), str(done.folder)))
                show(number, len(specs), spec.id)
    finally:  # also when a later task fails: what is on disk by then is told
        if rows:
            head = ("competition", "variant", "source", "result", "folder")
            console.show(head, rows, as_json=json)


def _result(done: Prepared) -> str:
    if done.source == "mlebench":
        return "as MLE-bench left it"
    return "prepared" if done.is_new else "already prepared"
