"""Write archives into the public part: zip, 7z and tar, as the published tasks hand them out."""

from __future__ import annotations

import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import ArchiveError, MissingLibraryError
from competitions.io import walk_files

if TYPE_CHECKING:
    from collections.abc import Iterable

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same files give the same bytes
_EPOCH_S = 315_532_800  # seconds since 1970


def pack_file(loose: Path, archive: Path) -> None:
    """Put one file alone into an archive, under its own name; the loose file is removed."""
    pack(archive, [(loose.name, loose)])
    loose.unlink()


def pack(archive: Path, members: Iterable[tuple[str, Path]]) -> None:
    """Write an archive of files, of the kind its name ends in.

    Parameters
    ----------
    members : iterable of str and Path
        Name within the archive and file, in the order in which they are written.

    Raises
    ------
    MissingLibraryError
        For .7z without py7zr.
    """
    archive.parent.mkdir(parents=True, exist_ok=True)
    # What was published as .tar.gz is plain tar.
    writers = {".zip": _zip, ".7z": _seven_zip, ".tar": _tar, ".gz": _tar}
    writers[archive.suffix](archive, members)


def read_only_member(archive: Path) -> bytes:
    """Return the only file of a .7z archive of our own.

    Raises
    ------
    MissingLibraryError
        Without py7zr.
    ArchiveError
        When it holds another number of files.
    """
    try:
        import py7zr
    except ImportError as error:
        raise MissingLibraryError("py7zr", f"{archive.name} cannot be read") from error
    with tempfile.TemporaryDirectory() as folder, py7zr.SevenZipFile(archive) as source:
        source.extractall(folder)  # noqa: S202 - we wrote it
        files = list(walk_files(Path(folder)))
        if len(files) != 1:
            raise ArchiveError(f"{archive}: expected one file, found {len(files)}.")
        return files[0].read_bytes()


def _zip(archive: Path, members: Iterable[tuple[str, Path]]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, path in members:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with path.open("rb") as source, target.open(entry, "w", force_zip64=True) as stream:
                while block := source.read(1 << 20):
                    stream.write(block)


def _seven_zip(archive: Path, members: Iterable[tuple[str, Path]]) -> None:
    try:
        import py7zr
        from py7zr.helpers import ArchiveTimestamp
    except ImportError as error:
        raise MissingLibraryError("py7zr", f"{archive.name} cannot be written") from error
    epoch = ArchiveTimestamp.from_datetime(_EPOCH_S)
    with py7zr.SevenZipFile(archive, "w") as target:
        for name, path in members:
            target.write(path, name)
        listed = target.header.files_info  # written when it is closed; None where nothing is in it
        for entry in listed.files if listed else ():
            for time in ("creationtime", "lastwritetime", "lastaccesstime"):
                entry[time] = epoch


def _tar(archive: Path, members: Iterable[tuple[str, Path]]) -> None:
    with tarfile.open(archive, "w") as target:
        for name, path in members:
            entry = tarfile.TarInfo(name)
            entry.size = path.stat().st_size
            with path.open("rb") as stream:
                target.addfile(entry, stream)
