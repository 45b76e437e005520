"""The verb ``corpus`` with its own verbs; each is one function of `detectors.plagiarism.corpus`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import AsJson

if TYPE_CHECKING:
    from detectors.plagiarism.corpus.build import Stats

corpus = typer.Typer(
    help="Build and change a corpus of public solutions.\n\n"
    "Example: mle-audit corpus build notebooks/ --competition ID -o corpus/",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_NAMED = 5  # files that could not be read
_IS_SOURCE = (
    "Folders, files, zips or git checkouts: notebooks, scripts, write-ups; Kaggle's kernel "
    "downloads and Meta Kaggle Code tell author, date and votes."
)

Corpus = Annotated[Path, typer.Argument(help="A corpus' folder.")]
Sources = Annotated[list[Path] | None, typer.Argument(help=_IS_SOURCE)]
Competition = Annotated[
    str,
    typer.Option("--competition", "-c", help="Id for documents whose source does not tell theirs."),
]
Base = Annotated[
    list[Path] | None,
    typer.Option(help="Starter kits, templates, the task's own files: no copies. Repeatable."),
]
Submissions = Annotated[
    list[Path] | None,
    typer.Option(help="Public submission files, or a folder of them. Repeatable."),
]
KaggleTop = Annotated[
    int | None, typer.Option(min=1, help="Fetch so many notebooks, most voted first, from Kaggle.")
]
Workers = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Workers at once.")]
AnyEngine = Annotated[str, typer.Option(help="loky, threading, ray or dask.")]
EngineAddress = Annotated[
    str | None,
    typer.Option(help="Where ray or dask listens. [default: a cluster made on this machine]"),
]


@corpus.command()
def build(  # noqa: PLR0913, PLR0917 - each is an option
    sources: Sources = None,
    competition: Competition = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder.")] = Path("corpus"),
    base: Base = None,
    submissions: Submissions = None,
    kaggle_top: KaggleTop = None,
    jobs: Workers = 1,
    engine: AnyEngine = "loky",
    engine_address: EngineAddress = None,
    json: AsJson = False,
) -> None:
    """Build a corpus from public solutions.

    The same sources give the same bytes, however many workers read them. Workers of a cluster
    elsewhere must see the same files at the same paths.

    Example: mle-audit corpus build notebooks/ kernels.zip --competition ID -o corpus/ --jobs 4
    """
    from audit import console
    from audit.corpora import with_kernels, workers
    from detectors.plagiarism.corpus.build import build as make

    with console.progress_bar("corpus build") as bar:
        run = workers(jobs, engine, engine_address, bar)
        given, told = with_kernels(sources or (), output, competition, kaggle_top, bar)
        stats = make(
            given,
            output,
            competition=competition,
            base=base or (),
            submissions=submissions or (),
            run=run,
        )
    _show(stats, told, as_json=json)


@corpus.command()
def add(  # noqa: PLR0913, PLR0917 - each is an option
    folder: Corpus,
    sources: Sources = None,
    competition: Competition = "",
    base: Base = None,
    submissions: Submissions = None,
    jobs: Workers = 1,
    engine: AnyEngine = "loky",
    engine_address: EngineAddress = None,
    json: AsJson = False,
) -> None:
    """Add solutions, base code or submissions to a corpus.

    What it holds already is not read again. Whoever reads it meanwhile is not disturbed.

    Example: mle-audit corpus add corpus/ more-notebooks/ --competition ID
    """
    from audit import console
    from audit.corpora import workers
    from competitions.errors import UsageError
    from detectors.plagiarism.corpus.build import add as make
    from detectors.plagiarism.corpus.build import stats as describe

    if not (sources or base or submissions):
        raise UsageError("Expected solutions, --base or --submissions to add, found none.")
    before = describe(folder)
    with console.progress_bar("corpus add") as bar:
        stats = make(
            folder,
            sources or (),
            competition=competition,
            base=base or (),
            submissions=submissions or (),
            run=workers(jobs, engine, engine_address, bar),
        )
    _show(stats, (), as_json=json, before=before)


@corpus.command()
def remove(
    folder: Corpus,
    names: Annotated[
        list[str],
        typer.Argument(help="Names as `stats --documents` lists them, or digests' first 8 digits."),
    ],
    json: AsJson = False,
) -> None:
    """Remove documents or submissions from a corpus.

    A document's name is its path below the source that was given, without that source.

    Example: mle-audit corpus remove corpus/ user/notebook.ipynb 0f3a9c21
    """
    from detectors.plagiarism.corpus.build import remove as make
    from detectors.plagiarism.corpus.build import stats as describe

    before = describe(folder)
    _show(make(folder, names), (), as_json=json, before=before)


@corpus.command()
def merge(
    folders: Annotated[list[Path], typer.Argument(help="Corpora; they stay as they are.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder.")],
    json: AsJson = False,
) -> None:
    """Make one corpus of several.

    Example: mle-audit corpus merge one/ other/ -o both/
    """
    from detectors.plagiarism.corpus.build import merge as make

    _show(make(folders, output), (), as_json=json)


@corpus.command()
def stats(
    folder: Corpus,
    documents: Annotated[
        bool, typer.Option("--documents", help="List every document instead.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Say what a corpus holds.

    Example: mle-audit corpus stats corpus/ --documents
    """
    from audit import console
    from audit.corpora import DOCUMENTS_HEAD, document_rows
    from detectors.plagiarism.corpus.build import stats as describe

    if documents:
        console.show(DOCUMENTS_HEAD, document_rows(folder), as_json=json)
    else:
        _show(describe(folder), (), as_json=json)


def _show(
    stats: Stats,
    told: tuple[str, ...] | list[str],
    *,
    as_json: bool,
    before: Stats | None = None,
) -> None:
    """Print what a corpus holds, and on stderr what could not be read."""
    import json

    from audit import console
    from audit.corpora import stats_rows
    from competitions.io import printable

    if as_json:
        facts = asdict(stats) | {"folder": str(stats.folder)}
        typer.echo(json.dumps(facts, indent=2))
    else:
        console.show(("corpus", str(stats.folder)), stats_rows(stats, before), as_json=False)
    left = len(stats.unread) - _NAMED
    lines = [*told, *(f"not read: {name}: {why}" for name, why in stats.unread[:_NAMED])]
    for line in [*lines, *([f"not read: {left:,} more; all with --json"] if left > 0 else ())]:
        typer.echo(printable(line), err=True)
