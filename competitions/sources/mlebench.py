"""MLE-bench's own checks of its data: ``checksums.yaml``, one per competition.

The file holds an md5 of Kaggle's zip and one of each table that lies directly in ``public/`` and
``private/``. Images, other formats and everything in subfolders are not covered.

References
----------
Chan et al. (2024), MLE-bench. https://arxiv.org/abs/2410.07095
https://github.com/openai/mle-bench/blob/main/mlebench/data.py
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from competitions.errors import ChecksumsError, DigestMismatchError, UsageError
from competitions.spec import problems_of, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from competitions.sources.base import Request

FILE = "checksums.yaml"
COVERED = (".csv", ".json", ".jsonl", ".parquet", ".bson")
WEAKNESS = (
    "MLE-bench's checksums are md5 of csv, json, jsonl, parquet and bson files directly in public/ "
    "and private/: images, other formats and subfolders are not covered. mle-audit's own manifest "
    "covers every file by sha256."
)
_Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class Checksums(BaseModel):
    """The content of a ``checksums.yaml``: md5 by file name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    zip: _Md5 | None = None
    public: dict[str, _Md5] = {}
    private: dict[str, _Md5] = {}


def find_checksums(competition_id: str, root: Path, given: Path | None = None) -> Path | None:
    """Find a competition's ``checksums.yaml``.

    Parameters
    ----------
    root : Path
        ``<data-dir>/<id>``, where the file may lie.
    given : Path or None
        A file, or a checkout of MLE-bench.

    Returns
    -------
    Path or None
        None when none is given and none lies beside the data.

    Raises
    ------
    UsageError
        When what is given holds none.
    """
    if given is None:
        return root / FILE if (root / FILE).is_file() else None
    if given.is_file():
        return given
    below = ("mlebench/competitions", "competitions", ".")
    places = [given / b / competition_id / FILE for b in below]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise UsageError(
            f"Expected a {FILE} or a checkout of MLE-bench with {competition_id}, found {given}.",
            f"Name the file: --checksums mle-bench/mlebench/competitions/{competition_id}/{FILE}",
        )
    return found


def read_checksums(path: Path) -> Checksums:
    """Read a ``checksums.yaml``.

    Raises
    ------
    UsageError
        When it is not of MLE-bench's form.
    """
    try:
        return Checksums.model_validate(read_yaml(path))
    except ValidationError as error:
        raise UsageError(
            f"{path} is no {FILE} of MLE-bench: {'; '.join(problems_of(error)[:5])}.",
            "Expected the keys zip, public and private, with md5 by file name.",
        ) from error


def differences(checksums: Checksums, root: Path, prepared: Path) -> Iterator[str]:
    """Compare a prepared folder and, where it still lies there, Kaggle's zip with checksums.

    Parameters
    ----------
    root : Path
        ``<data-dir>/<id>``, where MLE-bench leaves the zip.
    prepared : Path
        Holds ``public/`` and ``private/``.

    Yields
    ------
    str
        Each file that differs, is missing, or is covered by the rule but not listed.
    """
    for half, listed in (("public", checksums.public), ("private", checksums.private)):
        found = {
            path.name: path
            for path in (prepared / half).iterdir()
            if path.suffix in COVERED and path.is_file()
        }
        for name in sorted(listed.keys() | found.keys()):
            if name not in found:
                yield f"{half}/{name}: listed, but not there"
            elif name not in listed:
                yield f"{half}/{name}: there, but not listed"
            elif (md5 := md5_file(found[name])) != listed[name]:
                yield f"{half}/{name}: expected md5 {listed[name]}, found {md5}"
    archive = root / f"{root.name}.zip"
    if checksums.zip and archive.is_file() and (md5 := md5_file(archive)) != checksums.zip:
        yield f"{archive.name}: expected md5 {checksums.zip}, found {md5}"


def require_official(
    competition_id: str, root: Path, prepared: Path, given: Path | None = None
) -> Path | None:
    """See that a prepared folder is what MLE-bench's checksums say, if there are any.

    Parameters
    ----------
    root, given : Path
        See `find_checksums`.

    Returns
    -------
    Path or None
        The file that it agrees with.

    Raises
    ------
    ChecksumsError
        With every file that is not what the checksums say.
    UsageError
        When what is given holds no checksums.
    """
    path = find_checksums(competition_id, root, given)
    if path is not None:
        found = list(differences(read_checksums(path), root, prepared))
        if found:
            raise ChecksumsError(prepared, found, WEAKNESS)
    return path


def check_zip(request: Request, archive: Path) -> None:
    """Compare Kaggle's zip with the task's pin or, where they are given, MLE-bench's checksums.

    Raises
    ------
    DigestMismatchError
        When it is another one.
    """
    expected = request.spec.source.zip_md5
    if request.checksums is not None:
        path = find_checksums(request.spec.id, request.placed.parent, request.checksums)
        expected = read_checksums(path).zip if path is not None else expected
    if expected is None:
        return
    found = md5_file(archive)
    if found != expected:
        raise DigestMismatchError(
            archive,
            expected,
            found,
            "Kaggle may have packed it anew since it was pinned: look at what differs, or leave "
            "--checksums out.",
            algorithm="md5",
        )


def md5_file(path: Path) -> str:
    """Return the md5 of a file as 32 hex digits, as MLE-bench does; no proof against malice."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
