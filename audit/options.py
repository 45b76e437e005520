"""Options that mean the same in every verb, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_DATA = "Prepared data. [default: $MLE_AUDIT_DATA, else a cache]"

DataDir = Annotated[Path | None, typer.Option(help=_DATA)]
ExistingDataDir = Annotated[Path | None, typer.Option(exists=True, file_okay=False, help=_DATA)]
CorpusDir = Annotated[
    Path | None,
    typer.Option(help="Public solutions to compare with, as `corpus build` makes them."),
]
VariantName = Annotated[str, typer.Option(help="v1 (as published) or fixed.")]
MAX_CONTROLS = 9_999  # they decide of 500 texts; each is scored as the text itself is
Descriptions = Annotated[
    Path | None, typer.Option(help="Official descriptions: a file, or MLE-bench's checkout.")
]
ControlTexts = Annotated[
    Path | None,
    typer.Option(help="A folder of texts of the same kind that the model cannot have read."),
]
ControlCount = Annotated[
    int,
    typer.Option(min=19, max=MAX_CONTROLS, help="How many are written where there is no folder."),
]
Document = Annotated[
    Path,
    typer.Option(
        "--json", help="The audit document; - prints it. Folders that are not there are made."
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--html",
        help="Also write a page with the evidence: a file .html, or a folder for index.html and "
        "summary.md.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Attempts at once.")]
Engine = Annotated[str, typer.Option(help="loky or threading.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would take; start nothing.")]
CompetitionSet = Annotated[Path | None, typer.Option(help="A file with one competition per line.")]
SplitName = Annotated[
    str | None, typer.Option(help="low, medium, high, all (the 75), dev, kaggle (82) or embedded.")
]
Lite = Annotated[bool, typer.Option("--lite", help="The same as --split low.")]
AllTasks = Annotated[bool, typer.Option("--all", help="The same as --split kaggle.")]
Formats = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="What the folder gets, with commas: html, markdown, sarif, junit, csv, json. "
        "[default: html,markdown]",
    ),
]
PolicyName = Annotated[
    str | None, typer.Option(help="strict, default or lenient, or a file. [default: default]")
]
