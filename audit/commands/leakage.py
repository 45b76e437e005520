"""The verb ``leakage``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from audit.options import (
    AllTasks,
    CompetitionSet,
    Document,
    ExistingDataDir,
    Lite,
    Page,
    PolicyName,
    SplitName,
    VariantName,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from audit.verdict import FailOn

HEADINGS = {  # of the help, by the option that each begins with
    "competition": "Tasks",
    "public": "Data that no task describes (two folders, or two tables)",
    "key": "Columns of such data (repeatable; none: there is no such column)",
    "code": "Training code, instead of data",
    "select": "Questions and output",
}


def leakage(  # noqa: PLR0913, PLR0917 - each is an option
    competition: Annotated[
        list[str] | None, typer.Option("--competition", "-c", help="A prepared task. Repeatable.")
    ] = None,
    competition_set: CompetitionSet = None,
    split: SplitName = None,
    lite: Lite = False,
    all_: AllTasks = False,
    variant: VariantName = "v1",
    data_dir: ExistingDataDir = None,
    public: Annotated[Path | None, typer.Option(help="Folder: what an agent may see.")] = None,
    private: Annotated[Path | None, typer.Option(help="Folder: what it may not.")] = None,
    submission_schema: Annotated[
        Path | None, typer.Option(help="submission-schema.json as prepare writes it.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Table: the rows with answers.")] = None,
    test: Annotated[Path | None, typer.Option(help="Table: the rows held out.")] = None,
    sample: Annotated[Path | None, typer.Option(help="Their sample submission.")] = None,
    answers: Annotated[Path | None, typer.Option(help="Their hidden answers.")] = None,
    key: Annotated[list[str] | None, typer.Option(help="Names a row of the submission.")] = None,
    target: Annotated[list[str] | None, typer.Option(help="Is to be predicted.")] = None,
    entity: Annotated[
        list[str] | None, typer.Option(help="Names what rows are about: a patient, a place.")
    ] = None,
    time: Annotated[list[str] | None, typer.Option(help="Says when something happened.")] = None,
    join: Annotated[
        list[str] | None, typer.Option(help="Names rows of another public table.")
    ] = None,
    media: Annotated[
        list[str] | None, typer.Option(help="Names files: pictures, sounds, texts.")
    ] = None,
    code: Annotated[
        list[Path] | None, typer.Option(help=".py, .ipynb, folders, attempts. Repeatable.")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Run only this detector. Repeatable.")
    ] = None,
    twin: Annotated[
        Path | None,
        typer.Option(help="Folder: a public data set that may hold the test pictures."),
    ] = None,
    json: Document = Path("leakage.json"),
    html: Page = None,
    reveal_private: Annotated[
        bool, typer.Option("--reveal-private", help="Show what evidence knows from hidden data.")
    ] = False,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
) -> None:
    """Audit data before anyone runs on them: shared rows, answers given away, gameable graders.

    Of prepared tasks, of two folders, or of two tables. What columns are is inferred and printed
    where no task says it. The grader is handed some thirty submissions, each with one fault, and
    its answers are held against what an exact grader says. With --code training code is asked
    instead what it does before it splits rows, and by what; -c then names the one task that it
    was written for.

    Ends as vet does: with 1 when a verdict is at or above --fail-on, 3 when something could not
    be looked at.

    Example: mle-audit leakage -c spaceship-titanic -c modechoice

    Two folders: mle-audit leakage --public public --private private

    Two tables: mle-audit leakage --train a.csv --test b.csv --target price

    Code: mle-audit leakage --code work -c spaceship-titanic
    """
    from audit import console
    from audit.leakage import HEAD, LEAD, conclusions, finding_rows
    from audit.leakage import leakage as look
    from audit.leakage_data import Places, data_named, roles_asked
    from audit.selection import chosen_competitions, split_named
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir
    from competitions.errors import UsageError
    from competitions.outside import named
    from competitions.spec import variant_named

    limit = fail_on_named(fail_on)
    places = Places(public, private, train, test, sample, answers, submission_schema)
    console.require_outputs(json, html, (*(p for p in places if p and p.is_file()), *(code or ())))
    roles = roles_asked((key, target, entity, time, join, media))
    place = data_dir or default_data_dir()
    if code:
        others = {
            "--competition-set": competition_set, "--split": split, "--lite": lite, "--all": all_,
            "--variant": variant != "v1", "--twin": twin, "--reveal-private": reveal_private,
            "data": places.are_named or roles.asked,
        }  # fmt: skip
        if found := [name for name, given in others.items() if given]:
            raise UsageError(
                f"--code asks about code alone, found {', '.join(found)} beside it: ask about data "
                "in a call of their own."
            )
        _of_code(code, (competition or (), place), json, html, select or (), (policy, limit))
    which = split_named(split, lite=lite, everything=all_)
    data = data_named(places, roles)
    is_about_tasks = bool(competition or competition_set or which) or not data
    ids = (
        chosen_competitions(competition or (), competition_set, which, place)
        if is_about_tasks
        else []
    )
    specs = [named(name, variant_named(variant), place) for name in ids]
    with console.progress_bar("leakage") as bar:
        report = look(
            specs,
            place,
            load_policy(policy),
            datetime.now(UTC),
            data=data,
            select=select or (),
            twin=twin,
            reveal_private=reveal_private,
            progress=bar,
        )

    def lines() -> Iterator[str]:
        if rows := finding_rows(report):
            yield console.entries(HEAD, rows, len(LEAD))
        yield from conclusions(report, json)

    console.deliver(report, json, html, lines)
    raise typer.Exit(exit_code(report.verdicts, limit))


def _of_code(
    code: list[Path],
    written_for: tuple[Sequence[str], Path],
    json: Path,
    html: Path | None,
    select: Sequence[str],
    judged: tuple[str | None, FailOn],
) -> NoReturn:
    """Audit training code, and end."""
    from audit import console
    from audit.broken_rules import conclusions, rule_table
    from audit.leakage_code import leakage_of_code
    from audit.verdict import exit_code, load_policy
    from competitions.errors import UsageError
    from competitions.outside import named

    policy, limit = judged
    competitions, data_dir = written_for
    if len(competitions) > 1:
        raise UsageError("Code is written for one task: give -c once beside --code.")
    ids = [named(one, data_dir=data_dir).id for one in competitions]
    with console.progress_bar("leakage") as bar:
        report = leakage_of_code(
            code,
            load_policy(policy),
            datetime.now(UTC),
            competition=next(iter(ids), ""),
            data_dir=data_dir,
            select=select,
            progress=bar,
        )

    def lines() -> Iterator[str]:
        width = console.reader_width()
        if table := rule_table(report, width or console.USUAL_WIDTH, is_whole=width is None):
            yield table
        yield from conclusions(report, json)

    console.deliver(report, json, html, lines)
    raise typer.Exit(exit_code(report.verdicts, limit))
