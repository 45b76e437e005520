"""Which renderer writes which file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from competitions.errors import RefusedError, UsageError
from competitions.io import write_text
from reports.csv_tables import render_tables
from reports.html import render_html
from reports.junit import render_junit
from reports.markdown import render_markdown
from reports.sarif import render_sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from reports.schema import AuditReport


def _json(report: AuditReport) -> str:
    return report.model_dump_json(indent=2) + "\n"


# A format of one file: what the file is called in a folder, how a name of one's own ends, and what
# renders it. `csv` is four files and has a renderer of its own.
_ONE_FILE: Final[dict[str, tuple[str, str, Callable[[AuditReport], str]]]] = {
    "html": ("index.html", ".html", render_html),
    "markdown": ("summary.md", ".md", render_markdown),
    "sarif": ("results.sarif", ".sarif", render_sarif),
    "junit": ("junit.xml", ".xml", render_junit),
    "json": ("audit.json", ".json", _json),
}
FORMATS: Final = (*_ONE_FILE, "csv")
USUAL: Final = ("html", "markdown")
_BY_SUFFIX: Final = {suffix: name for name, (_, suffix, _) in _ONE_FILE.items()}
_SUFFIXES: Final = f"{', '.join(list(_BY_SUFFIX)[:-1])} or {list(_BY_SUFFIX)[-1]}"


def formats_named(names: str) -> tuple[str, ...]:
    """Read a list of formats, separated by commas; each once, in the order given.

    Raises
    ------
    UsageError
        When one of them does not exist, or none is named.

    Examples
    --------
    >>> formats_named("html, sarif,html")
    ('html', 'sarif')
    """
    found = tuple(dict.fromkeys(n.strip().lower() for n in names.split(",") if n.strip()))
    wrong = [n for n in found if n not in FORMATS]
    if wrong or not found:
        raise UsageError(
            f"Expected formats out of {', '.join(FORMATS)}; found {', '.join(wrong) or 'none'}.",
            "Name them with commas: mle-audit report audit.json --format html,sarif,junit -o site/",
        )
    return found


def refuse_overwriting(targets: Iterable[Path], inputs: Iterable[Path]) -> None:
    """See that nothing is written over what the same call reads, or writes.

    Raises
    ------
    RefusedError
        When a target is one of the inputs, or two targets are one file, by whatever path.
    """
    targets = tuple(targets)
    places = [path.resolve() for path in targets]
    if twice := next((p for n, p in enumerate(targets) if places[n] in places[:n]), None):
        raise RefusedError(
            f"{twice}: expected a file of its own for each output, found two that go there.",
            "Name another file, or another folder, for one of them.",
        )
    read = {path.resolve() for path in inputs}
    if lost := next((path for path in targets if path.resolve() in read), None):
        raise RefusedError(
            f"{lost}: it would be written over, and it is what this call reads.",
            "Write elsewhere: mle-audit report audit.json -o site/",
        )


def write_report(
    report: AuditReport, output: Path, formats: Iterable[str] = (), keep: Iterable[Path] = ()
) -> tuple[Path, ...]:
    """Render a document into a folder, or into one file; each file is written atomically.

    Parameters
    ----------
    output : Path
        A path that ends in ``.html``, ``.md``, ``.sarif``, ``.xml`` (JUnit) or ``.json`` is one
        file of that format. A name without a suffix, or any folder that exists, is a folder.
    formats : iterable of str
        What a folder gets: ``index.html``, ``summary.md``, ``results.sarif``, ``junit.xml``,
        ``audit.json``, and four CSV tables. Empty: the first two.
    keep : iterable of Path
        Files that are not written over, such as the document itself.

    Returns
    -------
    tuple of Path
        The files that were written.

    Raises
    ------
    RefusedError
        When a file to keep would be written over; then nothing is written.
    UsageError
        When a file stands where the folder should be, or a folder where the file should be, when
        the path has another suffix, or when formats do not fit the one file that is named.
    """
    chosen = formats_named(",".join(formats)) if (formats := tuple(formats)) else ()
    alone = require_place(output, chosen)
    if alone:
        texts = {output: _ONE_FILE[alone][2](report)}
    else:
        texts = {output / n: text for f in chosen or USUAL for n, text in _files(report, f)}
    refuse_overwriting(texts, keep)
    for path, text in texts.items():
        write_text(path, text)
    return tuple(texts)


def require_place(output: Path, formats: tuple[str, ...] = ()) -> str | None:
    """See that a report can be written to a path, before the work that it is to tell of.

    Returns
    -------
    str or None
        The format of the one file that is named; None for a folder.

    Raises
    ------
    UsageError
        As `write_report` does.
    """
    alone = _alone(output, formats)
    if output.exists() and output.is_dir() == bool(alone):
        expected, found = ("a file", "a folder") if alone else ("a folder", "a file")
        raise UsageError(
            f"{output}: expected {expected} to write the report to, found {found}.",
            "Name another: mle-audit report audit.json -o site/",
        )
    return alone


def written_to(output: Path, formats: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """Return the files that `write_report` writes to a path, but for the CSV tables.

    Raises
    ------
    UsageError
        As `write_report` does.
    """
    if require_place(output, formats):
        return (output,)
    return tuple(output / _ONE_FILE[f][0] for f in formats or USUAL if f in _ONE_FILE)


def _files(report: AuditReport, name: str) -> Iterable[tuple[str, str]]:
    """Give the files of one format, by their names in a folder."""
    if name not in _ONE_FILE:
        return render_tables(report).items()
    file, _, render = _ONE_FILE[name]
    return [(file, render(report))]


def _alone(output: Path, formats: tuple[str, ...]) -> str | None:
    """Return the format of the one file that is named, or None for a folder."""
    found = _BY_SUFFIX.get(output.suffix)
    if output.suffix and not found and not output.is_dir():
        raise UsageError(
            f"{output}: expected a name that ends in {_SUFFIXES}, or a folder, found "
            f"{output.suffix}.",
            "Name one: mle-audit report audit.json -o report.html",
        )
    if found and formats and formats != (found,):
        raise UsageError(
            f"{output}: expected a folder for {', '.join(formats)}, found a file for {found}.",
            "Name a folder: mle-audit report audit.json --format html,sarif -o site/",
        )
    return found
