"""Building corpora with many workers, and what a terminal says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from audit.engine import ENGINES, check_engine, completed
from competitions.disk import size_text
from competitions.errors import UsageError
from competitions.sources.kaggle_kernels import fetch_kernels
from detectors.plagiarism.corpus.index import Corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from audit.console import Cell
    from detectors.plagiarism.corpus.build import Stats

    _Item = TypeVar("_Item")
    _Result = TypeVar("_Result")
    Show = Callable[[int, int, str], None]

DOCUMENTS_HEAD = ("document", "competition", "language", "tokens", "author", "date", "digest")


def workers(
    jobs: int = 1,
    engine: str = "loky",
    address: str | None = None,
    show: Show | None = None,
) -> Callable[[Callable[[_Item], _Result], Sequence[_Item]], Iterator[_Result]]:
    """Return what `corpus.build` hands its units to; see `audit.engine.completed`.

    Parameters
    ----------
    show : callable or None
        Told how many units are done and how many there are.

    Raises
    ------
    UsageError
        When the engine or the number of jobs is none.
    MissingLibraryError
        When a cluster's library is not installed.
    """
    check_engine(jobs, engine, address, ENGINES)

    def run(function: Callable[[_Item], _Result], items: Sequence[_Item]) -> Iterator[_Result]:
        done = completed(function, items, jobs=jobs, engine=engine, address=address)
        for number, result in enumerate(done, start=1):
            if show is not None:
                show(number, len(items), "")
            yield result

    return run


def with_kernels(
    sources: Sequence[Path], folder: Path, competition: str, top: int | None, show: Show
) -> tuple[list[Path], list[str]]:
    """Return the sources of a corpus, Kaggle's most voted notebooks among them where asked for.

    Parameters
    ----------
    folder : Path
        The corpus; the notebooks come to lie beside it, in ``<name>-kernels``, and stay there.
    top : int or None
        How many notebooks.

    Returns
    -------
    sources : list of Path
    told : list of str
        What was downloaded, and what was not handed out.

    Raises
    ------
    UsageError
        When there is nothing to read, or notebooks are wanted of no competition.
    SourceError
        When Kaggle does not hand them out; its subclasses say why.
    """
    if top is None:
        if not sources:
            raise UsageError(
                "Expected folders, files or zips of public solutions, found none.",
                "Name some, or have them fetched: mle-audit corpus build --kaggle-top 50 -c ID",
            )
        return list(sources), []
    if not competition:
        raise UsageError("Expected --competition with --kaggle-top, found none.")
    place = folder.with_name(f"{folder.name}-kernels")
    if folder.exists():  # `build` will refuse it, and nothing needs to be fetched for that
        return [*sources, place], []
    fetched = fetch_kernels(competition, top, place, show=show)
    told = [f"Downloaded: {fetched.new} notebooks, {fetched.kept} were there: {place}"]
    told += [f"not handed out: {name}: {why}" for name, why in fetched.passed_over]
    return [*sources, place], told


def stats_rows(stats: Stats, before: Stats | None = None) -> list[tuple[str, Cell]]:
    """Describe a corpus, one line a fact.

    Parameters
    ----------
    before : Stats or None
        What it held before it was changed: how much more or less that is, is told.
    """
    of_each = ", ".join(f"{name or 'of none'}: {n:,}" for name, n in stats.competitions.items())
    return [
        ("digest", stats.digest),
        ("documents", _now(stats.n_documents, before.n_documents if before else None)),
        ("competitions", of_each),
        ("languages", ", ".join(f"{name}: {n:,}" for name, n in stats.languages.items())),
        ("submissions", _now(stats.n_submissions, before.n_submissions if before else None)),
        ("marks of origin", f"{stats.n_marks:,}"),
        ("hashes of base code", f"{stats.n_base_hashes:,}"),
        ("size", size_text(stats.bytes)),
        ("not read", f"{len(stats.unread):,}"),
    ]


def _now(count: int, before: int | None) -> str:
    """Tell a count, and how it changed."""
    if before is None:
        return f"{count:,}"
    if count == before:
        return f"{count:,}, as before"
    return f"{count:,}, {abs(count - before):,} {'more' if count > before else 'fewer'} than before"


def document_rows(folder: Path) -> list[tuple[Cell, ...]]:
    """List the documents of a corpus; see `DOCUMENTS_HEAD`."""
    corpus = Corpus.open(folder)
    entries = map(corpus.entry, range(corpus.n_documents))
    return [
        (
            entry.name,
            entry.competition,
            entry.language,
            entry.n_tokens,
            entry.provenance.author,
            str(entry.provenance.created or "") or None,
            entry.digest[:12],
        )
        for entry in entries
    ]
