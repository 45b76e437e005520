"""Which renderer writes which file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from competitions.errors import UsageError
from competitions.io import write_text
from reports.html import render_html
from reports.markdown import render_markdown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reports.schema import AuditReport

RENDERERS: Final[dict[str, Callable[[AuditReport], str]]] = {
    ".html": render_html,
    ".md": render_markdown,
}
SITE: Final = ("index.html", "summary.md")


def write_report(report: AuditReport, output: Path) -> tuple[Path, ...]:
    """Render a document into a folder, or into one file; each file is written atomically.

    Parameters
    ----------
    output : Path
        A path that ends in ``.html`` or ``.md`` is one file of that format. A name without a
        suffix, or any folder that exists, is a folder and gets ``index.html`` and ``summary.md``.

    Returns
    -------
    tuple of Path
        The files that were written.

    Raises
    ------
    UsageError
        When a file stands where the folder should be, or a folder where the file should be, or
        when the path has another suffix.
    """
    is_file = output.suffix in RENDERERS
    if output.suffix and not is_file and not output.is_dir():
        raise UsageError(
            f"{output}: expected a name that ends in .html or .md, or a folder, found "
            f"{output.suffix}.",
            "Name one: mle-audit report audit.json -o report.html",
        )
    if output.exists() and output.is_dir() == is_file:
        expected, found = ("a file", "a folder") if is_file else ("a folder", "a file")
        raise UsageError(
            f"{output}: expected {expected} to write the report to, found {found}.",
            "Name another: mle-audit report audit.json -o site/",
        )
    paths = (output,) if is_file else tuple(output / name for name in SITE)
    for path in paths:
        write_text(path, RENDERERS[path.suffix](report))
    return paths
