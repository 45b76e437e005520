"""What a person sees while something runs and when it is done. Only results go to stdout."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import UsageError
from competitions.io import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from reports.schema import AuditReport

STDOUT = Path("-")  # where a document goes that is printed
MAX_CELL = 300  # characters of a table's cell
USUAL_WIDTH = 100  # where there is no terminal to ask
MAX_WIDTH = 120  # longer lines are hard to read
MAX_NAME = 48  # columns that names are padded to; a longer one pushes what follows
INDENT = "    "
ELSEWHERE = "Name another place for it."
MIN_PARAGRAPH = 20  # columns of a wrapped text, however narrow the terminal is


@dataclass(frozen=True)
class Told:
    """A cell that a table says in words and JSON as an object with its figures."""

    words: str
    figures: Mapping[str, str | bool | int | float | None]


Cell = str | bool | int | float | tuple[str, ...] | Told | None


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar on stderr while the block runs, if stderr is a terminal.

    Yields
    ------
    callable
        Told how many are done, how many there are, and a word about the last one.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _total, _last: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[last]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, last="")

        def show(done: int, total: int, last: str) -> None:
            bar.update(task, completed=done, total=total or None, last=last)

        yield show


@contextlib.contextmanager
def counter(what: str) -> Iterator[Callable[[str], None]]:
    """Show how many units are done, where their number is not known beforehand."""
    with progress_bar(what) as show:
        done = 0

        def tell(last: str) -> None:
            nonlocal done
            done += 1
            show(done, 0, last)

        yield tell


def show(head: Sequence[str], rows: Sequence[Sequence[Cell]], *, as_json: bool) -> None:
    """Print a table to stdout, or the same as a JSON list of objects with keys in snake_case."""
    if as_json:
        keys = [name.replace(" ", "_") for name in head]
        items = [dict(zip(keys, map(_value_of, row), strict=True)) for row in rows]
        text = json.dumps(items, indent=2)
    else:
        text = table(head, [[_text_of(cell) for cell in row] for row in rows])
    sys.stdout.write(text + "\n")


def _value_of(cell: Cell) -> object:
    return {"words": cell.words, **cell.figures} if isinstance(cell, Told) else cell


def _text_of(cell: Cell) -> str:
    if isinstance(cell, Told):
        return cell.words
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, tuple):
        return ", ".join(cell)
    return "" if cell is None else str(cell)


def _safe(cell: str) -> str:
    """Take from a cell what would command a terminal or push the columns apart."""
    shown = printable(cell)
    return shown if len(shown) <= MAX_CELL else f"{shown[:MAX_CELL]}…"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a plain table: columns two spaces apart, no trailing spaces.

    Examples
    --------
    >>> print(table(["task", "seed"], [["a", "0"]]))
    task  seed
    a     0
    """
    lines = [[_safe(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def entries(
    head: Sequence[str], rows: Sequence[Sequence[Cell]], lead: int, width: int | None = None
) -> str:
    """Lay out a wide table as entries: the first columns in one line, the others wrapped below.

    Parameters
    ----------
    lead : int
        How many columns stand in the first line.
    width : int or None
        Columns of the terminal; None asks it, and takes 100 where there is none.

    Examples
    --------
    >>> print(entries(["id", "kind", "size", "note"], [["a", "x", 3, None]], 2))
    id  kind
    a   x
        size: 3
    """
    across = min(width or shutil.get_terminal_size((USUAL_WIDTH, 24)).columns, MAX_WIDTH)
    cells = [[_safe(_text_of(cell)) for cell in row] for row in rows]
    widest = [max(map(len, column)) for column in zip(head, *cells, strict=True)][:lead]
    widest[0] = min(widest[0], MAX_NAME)
    lines = []
    for row in (list(head[:lead]), *cells):
        first = zip(row[:lead], widest, strict=True)
        lines.append("  ".join(cell.ljust(most) for cell, most in first).rstrip())
        told = zip(head[lead:], row[lead:], strict=False)
        lines += textwrap.wrap(
            "; ".join(f"{name}: {cell}" for name, cell in told if cell),
            across,
            initial_indent=INDENT,
            subsequent_indent=INDENT,
            break_on_hyphens=False,
        )
    return "\n".join(lines)


def wrapped(rows: Sequence[tuple[str, str, Sequence[str | None]]], width: int | None = None) -> str:
    """Lay out two words and some paragraphs a row, the paragraphs wrapped beside the words.

    Parameters
    ----------
    width : int or None
        Columns of the terminal; None asks it, and takes 100 where there is none.

    Examples
    --------
    >>> print(wrapped([("disk", "ok", ["/data: writable", None, "much room"])], 40))
    disk  ok  /data: writable
              much room
    """
    across = min(width or shutil.get_terminal_size((USUAL_WIDTH, 24)).columns, MAX_WIDTH)
    first, second = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    indent = " " * (first + second + 4)
    lines: list[str] = []
    for name, word, paragraphs in rows:
        begin = f"{name.ljust(first)}  {word.ljust(second)}  "
        for paragraph in filter(None, paragraphs):
            lines += textwrap.wrap(
                printable(paragraph),
                max(across, len(indent) + MIN_PARAGRAPH),
                initial_indent=begin,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            begin = indent
    return "\n".join(lines)


def require_document_place(document: Path) -> None:
    """See that the document can be written there, before the work that it is to tell of.

    Raises
    ------
    UsageError
        When a folder has this name, or something that is no folder stands above it.
    """
    above = next((p for p in document.parents if p.exists()), document.parent)
    if document != STDOUT and (document.is_dir() or not above.is_dir()):
        found = f"{document}, a folder" if document.is_dir() else f"{above}, which is no folder"
        raise UsageError(f"Expected --json FILE; found {found}.")


def require_outputs(
    document: Path, page: Path | None, reads: Iterable[Path] = (), others: Iterable[Path] = ()
) -> None:
    """See before the work that its results have places that can be written, each its own.

    Folders that are not there are made when something is written into them.

    Parameters
    ----------
    document : Path
        Where the audit document goes; ``-`` prints it.
    page : Path or None
        The page with the evidence: a file, or a folder.
    reads : iterable of Path
        What the call reads, which is not written over.
    others : iterable of Path
        Further files that are written.

    Raises
    ------
    UsageError
        When a folder stands where a file should be, or nothing can be written there.
    RefusedError
        When two results would go into one file, or one over what is read.
    """
    from competitions.disk import require_writable
    from reports.render import refuse_overwriting, require_place, written_to

    require_document_place(document)
    files = [*([] if document == STDOUT else [document]), *others]
    for path in files:
        require_writable(path, ELSEWHERE)
    if page:
        require_writable(page, ELSEWHERE, is_folder=not require_place(page))
        files += written_to(page)
    refuse_overwriting(files, reads)


def deliver(
    report: AuditReport, document: Path, html: Path | None, lines: Callable[[], Iterable[str]]
) -> None:
    """Hand an audit over: the document printed or written, what is to be said, and the page.

    Parameters
    ----------
    document : Path
        Where it goes; ``-`` prints it, and nothing is said of it.
    html : Path or None
        Where its page goes.
    lines : callable
        Gives what is said on the terminal, once the document is written.
    """
    import typer

    from reports.render import write_report
    from reports.schema import write_audit

    if document == STDOUT:
        typer.echo(report.model_dump_json(indent=2))
    else:
        write_audit(report, document)
        typer.echo(f"Written: {document}", err=True)
        for line in lines():
            typer.echo(line)
    for page in write_report(report, html) if html else ():
        typer.echo(f"Written: {page}", err=True)


def reader_width() -> int | None:
    """Return the width for a person: of the terminal, or as COLUMNS has it; else None."""
    asked = os.environ.get("COLUMNS", "")
    if sys.stdout.isatty() or (asked.isdecimal() and int(asked)):
        return shutil.get_terminal_size((80, 24)).columns
    return None
