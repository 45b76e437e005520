"""Where a public solution comes from: Kaggle's kernel downloads, Meta Kaggle Code, a plain table.

- ``kernel-metadata.json`` beside the code, as ``kaggle kernels pull -m`` writes it.
- Meta Kaggle Code: ``0001/234/1234567.ipynb`` is a version's number, and Meta Kaggle's CSV files
  beside it say whose it is.
- ``provenance.csv`` with the columns path, author, title, url, created, votes, licence and
  competition, in the source or beside it; what it says goes before everything else.

References
----------
https://github.com/Kaggle/kaggle-api/wiki/Kernel-Metadata
https://www.kaggle.com/datasets/kaggle/meta-kaggle-code
"""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.io import printable
from detectors.plagiarism.containers import Folder
from detectors.plagiarism.meta_kaggle import MetaKaggle, meta_kaggle_beside
from reports.provenance import Provenance

if TYPE_CHECKING:
    from pathlib import Path

    from detectors.plagiarism.containers import Container, Found

KERNEL_METADATA = "kernel-metadata.json"
PROVENANCE_TABLE = "provenance.csv"
KERNEL_PAGE = "https://www.kaggle.com/code/"
_MAX_METADATA = 1 << 20  # bytes
_MAX_TABLE = 64 << 20
_MAX_WORDS = 300  # characters of a title or a name
_MAX_DIGITS = 15
_META_LICENCE = "Apache-2.0"  # of all of Meta Kaggle Code
_VERSION = re.compile(r"(?:.*/)?(\d{4})/(\d{3})/(\d{1,10})\.\w+")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_US_DATE = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_KERNEL_ID = re.compile(r"(?:/?code/)?([\w-]+)/([\w.-]+)")


class Origin(NamedTuple):
    """Where a document comes from, and for which competition it was written."""

    provenance: Provenance = Provenance()
    competition: str | None = None


class Origins:
    """What a source tells about the documents in it.

    Parameters
    ----------
    source : Path
        File, folder or zip.
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        self._folder: tuple[Container, str, Any] | None = None
        self._root: tuple[Container, dict[str, Origin]] | None = None

    def of(self, found: Found) -> Origin:
        """Return where a file comes from, as far as anything says it."""
        told = self._from_tables(found)
        for origin in (self._from_kernel(found), self._from_meta_kaggle(found)):
            if origin is not None:
                told = _merged(told, origin)
        return told

    def _from_tables(self, found: Found) -> Origin:
        """Look a file up in the tables of its archive, of the source, and beside the source."""
        if self._root is None or self._root[0] is not found.container:
            content = found.container.read(PROVENANCE_TABLE, _MAX_TABLE)
            self._root = (found.container, _table(content))
        beside = f"{self.source.name}/{found.name}" if self.source.is_dir() else found.name
        places = (
            (self._root[1], found.inner),
            (self._own_table, found.name),
            (self._table_beside, beside),
        )
        return next((t[_plain(path)] for t, path in places if _plain(path) in t), Origin())

    @cached_property
    def _own_table(self) -> dict[str, Origin]:
        return _table(Folder(self.source).read(PROVENANCE_TABLE, _MAX_TABLE))

    @cached_property
    def _table_beside(self) -> dict[str, Origin]:
        return _table(Folder(self.source.parent).read(PROVENANCE_TABLE, _MAX_TABLE))

    def _from_kernel(self, found: Found) -> Origin | None:
        """Read the download's metadata beside the file; they name the file that they are about."""
        folder, _, name = found.inner.rpartition("/")
        last = self._folder
        if last is None or last[0] is not found.container or last[1] != folder:
            inner = f"{folder}/{KERNEL_METADATA}" if folder else KERNEL_METADATA
            content = found.container.read(inner, _MAX_METADATA)
            self._folder = last = (found.container, folder, _mapping(content))
        told = last[2]
        is_about = told and told.get("code_file") in {None, "", name}
        return kernel_origin(told) if is_about else None

    def _from_meta_kaggle(self, found: Found) -> Origin | None:
        match = _VERSION.fullmatch(f"{self._above}/{found.inner}")
        if not match:
            return None
        number = match[3].zfill(10)
        if (number[:4], number[4:7]) != (match[1], match[2]):
            return None
        told = self._meta_kaggle.version(int(number)) if self._meta_kaggle else None
        if told is None:
            return Origin(Provenance(licence=_META_LICENCE))
        page = f"{KERNEL_PAGE}{told.user}/{told.slug}?scriptVersionId={int(number)}"
        return Origin(
            Provenance(
                author=_words(told.user),
                title=_words(told.title),
                url=page if told.user and told.slug else None,
                created=day(told.created),
                votes=count(told.votes),
                licence=_META_LICENCE,
            ),
            _words(told.competition),
        )

    @cached_property
    def _above(self) -> str:
        """The last two folders of the path to the files."""
        here = self.source.absolute()
        return "/".join((here if here.is_dir() else here.parent).parts[-2:])

    @cached_property
    def _meta_kaggle(self) -> MetaKaggle | None:
        return meta_kaggle_beside(self.source)


def kernel_origin(told: dict[str, Any]) -> Origin:
    """Read the origin from a kernel's metadata.

    Parameters
    ----------
    told : dict
        ``kernel-metadata.json``; `total_votes` and `last_run_time` stand there where our own
        download wrote it.
    """
    whose = _KERNEL_ID.fullmatch(str(told.get("id", "")))
    sources = told.get("competition_sources")
    names = [str(s).rpartition("/")[2] for s in sources] if isinstance(sources, list) else []
    return Origin(
        Provenance(
            author=_words(told.get("author")) or (whose[1] if whose else None),
            title=_words(told.get("title")),
            url=f"{KERNEL_PAGE}{whose[1]}/{whose[2]}" if whose else None,
            created=day(told.get("last_run_time")),
            votes=count(told.get("total_votes")),
            licence=_words(told.get("license") or told.get("licence")),
        ),
        _words(names[0]) if names else None,
    )


def _merged(first: Origin, second: Origin) -> Origin:
    """Fill what the first does not say from the second."""
    said = second.provenance.known | first.provenance.known
    return Origin(Provenance(**said), first.competition or second.competition)


def _mapping(content: bytes | None) -> dict[str, Any]:
    try:
        value = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _table(content: bytes | None) -> dict[str, Origin]:
    """Read a table of provenance by path; one without a column `path` is something else."""
    text = (content or b"").decode("utf-8-sig", errors="replace").replace("\0", "")
    found: dict[str, Origin] = {}
    try:
        for row in csv.DictReader(io.StringIO(text, newline="")):
            if path := row.get("path"):
                url = _words(row.get("url"))
                provenance = Provenance(
                    author=_words(row.get("author")),
                    title=_words(row.get("title")),
                    url=url if url and url.startswith(("https://", "http://")) else None,
                    created=day(row.get("created")),
                    votes=count(row.get("votes")),
                    licence=_words(row.get("licence") or row.get("license")),
                )
                found[_plain(path)] = Origin(provenance, _words(row.get("competition")))
    except csv.Error:
        pass
    return found


def _plain(path: str) -> str:
    return path.strip().replace("\\", "/").removeprefix("./").replace(".zip/", ".zip!")


def _words(value: object) -> str | None:
    """Return a text that can stand in a document, or None."""
    if not isinstance(value, str):
        return None
    return printable(" ".join(value.split()))[:_MAX_WORDS] or None


def count(value: object) -> int | None:
    """Read a number of votes; None where it is none.

    Examples
    --------
    >>> count("12"), count(-1), count("many")
    (12, None, None)
    """
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def day(value: object) -> date | None:
    """Read a day as Kaggle writes it, ISO or American; None where it is none.

    Examples
    --------
    >>> day("2018-03-01T10:00:00Z"), day("03/01/2018 10:00:00") == day("2018-03-01"), day("soon")
    (datetime.date(2018, 3, 1), True, None)
    """
    text = str(value)
    if found := _ISO_DATE.match(text):
        parts = (found[1], found[2], found[3])
    elif found := _US_DATE.match(text):
        parts = (found[3], found[1], found[2])
    else:
        return None
    try:
        return date(*map(int, parts))
    except ValueError:
        return None
