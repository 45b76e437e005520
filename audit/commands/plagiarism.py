"""The verb ``plagiarism``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import CorpusDir, Document, ExistingDataDir, Page, PolicyName

if TYPE_CHECKING:
    from collections.abc import Iterator


def plagiarism(  # noqa: PLR0913, PLR0917 - each is an option
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Attempts, groups, or files, folders and zips of code; a .csv is a submission."
        ),
    ],
    corpus: CorpusDir = None,
    competition: Annotated[
        str,
        typer.Option(
            "--competition", "-c", help="What loose code is for; of attempts, only those of it."
        ),
    ] = "",
    base: Annotated[
        list[Path] | None,
        typer.Option(help="Starter kits, templates: what they hold is no copy. Repeatable."),
    ] = None,
    json: Document = Path("plagiarism.json"),
    html: Page = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Run only this detector of the family. Repeatable.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
    data_dir: ExistingDataDir = None,
) -> None:
    """Compare code and submissions with public ones: who copied what from whom.

    What is no attempt is code or a submission. A folder or zip is one piece of work, so name the
    files of many people one by one: work/*.ipynb. Without --competition they are compared with
    all that the corpus holds. What the figures mean stands under the table; the proof is shown by
    `explain`. Ends as vet does: with 1 when a verdict is at or above --fail-on, 3 when something
    could not be looked at.

    Example: mle-audit plagiarism runs/ --corpus corpus/ --html copies.html
    """
    from audit import console
    from audit.copies import conclusions, copy_table
    from audit.plagiarism import plagiarism as compare
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir

    limit = fail_on_named(fail_on)
    console.require_outputs(json, html, (*sources, *(base or ())))
    with console.progress_bar("plagiarism") as bar:
        report = compare(
            sources,
            corpus,
            data_dir or default_data_dir(),
            load_policy(policy),
            datetime.now(UTC),
            competition=competition,
            base=base or (),
            select=select or (),
            progress=bar,
        )

    def lines() -> Iterator[str]:
        if table := copy_table(report, console.reader_width()):
            yield table
        yield from conclusions(report, json)

    console.deliver(report, json, html, lines)
    raise typer.Exit(exit_code(report.verdicts, limit))
