"""A folder of raw files that the user has placed, or Kaggle's zip of them; only ever read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.archive import unpack, unpack_inner
from competitions.errors import RawDataError, UsageError
from competitions.miniature import is_miniature
from competitions.sources.base import Raw, Request, paths_wanted
from competitions.sources.mlebench import check_zip
from competitions.work import Work, is_there

if TYPE_CHECKING:
    from pathlib import Path


def refuse_others(request: Request) -> None:
    """Refuse a folder of raw files that does not exist.

    Raises
    ------
    UsageError
    """
    if request.raw is not None and not request.raw.exists():
        raise UsageError(
            f"{request.raw}: expected a folder of raw files or Kaggle's zip of them, found nothing "
            "there.",
            f"Name it: mle-audit prepare -c {request.spec.id} --source local --raw DIR",
        )


def fetch(request: Request) -> Raw:
    """Take the named folder, else ``<data-dir>/<id>/raw``, else the definition's own, as it is.

    Where raw files are missing and the folder holds ``<id>.zip``, as Kaggle names it, or the zip
    itself is named, that is unpacked into our scratch folder.

    Raises
    ------
    UsageError
        When the task has no other source, no folder is named and none was placed; see also
        `refuse_others`.
    RawDataError
        When the folder or one of the task's raw files is not there.
    ArchiveError
        When the zip is broken or unsafe.
    DigestMismatchError
        When checksums are given and the zip is another one.
    """
    refuse_others(request)
    spec = request.spec
    placed = request.placed if request.placed.is_dir() else spec.raw_folder or request.placed
    folder = request.raw or placed
    name_it = f"mle-audit prepare -c {spec.called} --source local --raw DIR"
    if spec.source.kind == "local" and request.raw is None and not placed.is_dir():
        files = ", ".join(f.path for f in spec.raw)
        named = f"its definition names {placed}, where none is" if spec.raw_folder else None
        raise UsageError(
            f"{spec.id} takes its raw files from a folder of yours, and "
            f"{named or 'none was named'}.",
            f"Name the folder that holds {files}: {name_it}",
        )
    archive = folder if folder.is_file() else folder / f"{spec.id}.zip"
    missing = _missing(request, folder)
    if missing and archive.is_file():
        folder = _unpacked(request, archive)
        missing = _missing(request, folder)
    if missing:
        where = archive if folder == request.scratch else folder
        raise RawDataError(
            f"Expected {', '.join(missing)} in {where}, found none.",
            f"Place the raw files of {spec.source.url} there, or name their folder: {name_it}",
        )
    return Raw(folder, "miniature" if is_miniature(folder) else "local")


def _missing(request: Request, folder: Path) -> list[str]:
    named = {f.comes_as: f for f in request.spec.raw if f.comes_as is not None}
    work = Work(folder, folder)
    return [n for n, f in named.items() if not (folder / n).is_file() and not is_there(work, f)]


def _unpacked(request: Request, archive: Path) -> Path:
    check_zip(request, archive)
    unpack(archive, request.scratch, show=request.show)
    unpack_inner(request.scratch, paths_wanted(request.spec))
    return request.scratch
