"""What prepared files are, as far as it does not depend on the version of any library."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from competitions.io import sha256_bytes, walk_files
from tests.mlebench.compare import content

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Of all else, such as pictures of a miniature, the bytes are those of some encoder.
_TEXT = {".csv", ".tsv", ".txt", ".json", ".jsonl"}


def fingerprints(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield place and digest of each file of both trees, and of each member of an archive.

    Of a parquet file it is that of the table's cells.

    The description is left out: its words are no part of the recipe.
    """
    for half in ("public", "private"):
        for path in walk_files(folder / half):
            place = path.relative_to(folder).as_posix()
            if place == "public/description.md":
                continue
            found = content(path)
            if path.suffix == ".parquet":
                yield place, sha256_bytes(repr(found).encode())
            elif isinstance(found, dict):
                yield place, "-"
                yield from ((f"{place}/{n}", _digest(n, found[n])) for n in sorted(found))
            elif isinstance(found, bytes):
                yield place, _digest(place, found)


def _digest(name: str, raw: bytes) -> str:
    return sha256_bytes(raw) if PurePosixPath(name).suffix in _TEXT else "-"
