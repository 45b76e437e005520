"""The documents of a task: its description, discussion posts and write-ups, public solutions.

Notebooks count with their code cells, web pages with the words that they show. What cannot be
read is told with its reason, and the other documents go on.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from enum import StrEnum
from html.parser import HTMLParser
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import TextError, UsageError
from competitions.io import reason
from detectors.familiarity.texts import Text, read_text
from detectors.units import notebook_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path, PurePath

PROSE_SUFFIXES = frozenset({".md", ".txt", ".html", ".htm", ".rst", ".csv"})
CODE_SUFFIXES = frozenset({".py", ".ipynb", ".r", ".rmd"})
_NOTEBOOK, _PAGES = ".ipynb", frozenset({".html", ".htm"})
_PAGE = re.compile(r"\s*(?:<!doctype html|<html)", re.IGNORECASE)  # what was fetched has no ending
_MAX_BYTES = 64 << 20  # of a notebook with its outputs, or of a page
_OF_TASK = re.compile(r"/(?:competitions|c)/([\w-]+)")
_COLUMNS = ("file", "url")


class Kind(StrEnum):
    """What a document is; each kind is held against controls of its own."""

    DESCRIPTION = "description"
    OBFUSCATED = "obfuscated description"  # shown beside, never part of a task's measure
    POST = "post"
    CODE = "code"


@dataclass(frozen=True)
class Document:
    """One text of a task.

    Parameters
    ----------
    url : str
        Where it stood, if a list says so.
    filed : bool
        Of a control: whether its folder names the kind, so that it serves no other.
    """

    text: Text
    kind: Kind
    url: str = ""
    filed: bool = False


class Read(NamedTuple):
    """Documents, and why others are none of them."""

    documents: tuple[Document, ...]
    problems: tuple[str, ...]


def controls_for(kind: Kind, controls: Sequence[Document]) -> list[Document]:
    """Return the controls of a kind: those filed under it, else those that are filed nowhere.

    Descriptions and posts are both prose, and share controls that no folder tells apart.
    """
    filed = [c for c in controls if c.filed and c.kind is kind]
    if filed:
        return filed
    return [c for c in controls if not c.filed and (c.kind is Kind.CODE) == (kind is Kind.CODE)]


def kind_of(path: PurePath) -> Kind:
    """Tell a document's kind by a folder of that name, else by its ending."""
    for part in path.parts[:-1]:
        if part in (Kind.DESCRIPTION, Kind.POST, Kind.CODE):
            return Kind(part)
    return Kind.CODE if path.suffix.lower() in CODE_SUFFIXES else Kind.POST


def read_document(path: Path, name: str) -> Text:
    """Read a file as the text that is scored: code of a notebook, words of a page, else as it is.

    Raises
    ------
    TextError
        When it cannot be read or holds no text that can be scored.
    """
    suffix = path.suffix.lower()
    if suffix not in {_NOTEBOOK, *_PAGES}:
        text = read_text(path, name)
        return Text(name, words_of_page(text.content)) if _PAGE.match(text.content) else text
    try:
        if (size := path.stat().st_size) > _MAX_BYTES:
            raise TextError(name, f"expected at most {_MAX_BYTES >> 20} MiB, found {size:,} bytes")
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TextError(name, f"expected a UTF-8 text, found {reason(error)}") from error
    if suffix in _PAGES:
        return Text(name, words_of_page(content))
    return Text(name, "\n\n".join(source for _, source in notebook_cells(content)))


def documents_below(folder: Path) -> Iterator[Path]:
    """Yield files with the ending of a text or program below a folder, in the order of paths."""
    suffixes = PROSE_SUFFIXES | CODE_SUFFIXES
    yield from sorted(p for p in folder.rglob("*") if p.suffix.lower() in suffixes and p.is_file())


def read_documents(
    folder: Path, competition_id: str, sources: Mapping[str, Sequence[tuple[str, str]]] | None
) -> Read:
    """Read what belongs to a task in a folder of texts.

    Parameters
    ----------
    sources : mapping of str to sequence of (str, str), or None
        What `read_sources` returns: files of each task with their URL. None takes the files below
        ``folder/<competition_id>``.
    """
    if sources is None:
        own = folder / competition_id
        listed = [(p.relative_to(folder).as_posix(), "") for p in documents_below(own)]
    else:
        listed = list(sources.get(competition_id, ()))
    documents: dict[str, Document] = {}
    problems = []
    for name, url in listed:
        try:
            text = read_document(folder / name, name)
        except TextError as error:
            problems.append(str(error))
            continue
        inside = PurePosixPath(name)
        documents.setdefault(text.sha256, Document(text, kind_of(inside), url))
    return Read(tuple(documents.values()), tuple(problems))


def read_sources(listing: Path, folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Read which file of a folder holds which URL: a table with the columns ``file`` and ``url``.

    The task is that of a third column ``competition``, else the one in the URL (``/c/<id>/`` or
    ``/competitions/<id>/``), else the first folder of the file's path.

    Raises
    ------
    UsageError
        When the table cannot be read, or a file of it lies outside the folder.
    """
    try:
        rows = list(csv.DictReader(listing.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{listing}: expected a table of URLs: {reason(error)}.") from error
    if not rows or not set(_COLUMNS) <= set(rows[0]):
        raise UsageError(f"{listing}: expected columns {' and '.join(_COLUMNS)}, found none.")
    found: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        name, url = (row[column] or "" for column in _COLUMNS)
        place = PurePosixPath(name)
        if not name or place.is_absolute() or ".." in place.parts:
            raise UsageError(f"{listing}: expected a file below {folder}, found {name!r}.")
        in_url = _OF_TASK.search(url)
        task = row.get("competition") or (in_url.group(1) if in_url else place.parts[0])
        found.setdefault(task, []).append((name, url))
    return found


_HIDDEN = frozenset({"script", "style", "noscript", "template", "head", "svg"})
_BREAKING = frozenset(
    {"p", "br", "div", "li", "tr", "pre", "section", "article", "table", "ul", "ol", "blockquote"}
) | {f"h{level}" for level in range(1, 7)}


class _Words(HTMLParser):
    """Collects what a page shows, a line per block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - of the base class
        if tag == "body" or (tag in _BREAKING and self._hidden == ["head"]):
            self._hidden.clear()  # the end of a head may be left out
        if tag in _HIDDEN:
            self._hidden.append(tag)
        elif tag in _BREAKING:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            del self._hidden[self._hidden.index(tag) :]
        elif tag in _BREAKING:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def words_of_page(content: str) -> str:
    """Return the words that an HTML page shows, without scripts and styles.

    Examples
    --------
    >>> words_of_page("<head><title>no</title></head><p>One &amp; two.</p><script>x</script>")
    'One & two.'
    """
    parser = _Words()
    parser.feed(content)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(line for line in lines if line)
