"""Recorded sessions of gestures, packed by the hundred: the last archive is the test part."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.packs import pack
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_TEST = "training4.tar.gz"
_LABELS = ".mat"  # files in a session that hold its gestures
_GESTURES = 20  # labels 1 to 20
_MINIATURE = {"training1": 12, "training2": 12, "training3": 12, "training4": 9}  # sessions each


def sessions_in(archive: Path) -> list[str]:
    """List the four-digit ids of the sessions that lie in an archive, sorted.

    Raises
    ------
    RawDataError
        When it is missing, broken, or holds none.
    """
    try:
        with tarfile.open(archive) as opened:
            paths = [PurePosixPath(name) for name in opened.getnames()]
    except (OSError, tarfile.TarError, EOFError) as error:
        raise RawDataError(f"{archive} cannot be read as an archive: {error}.") from error
    found = sorted(p.stem[-4:] for p in paths if p.suffix == ".zip" and len(p.parts) == 1)
    if not found:
        raise RawDataError(f"{archive}: expected Sample<number>.zip, found none.")
    return found


def split(spec: Competition, work: Work) -> Parts:
    """Take the sessions of the last archive for the test part; both parts keep raw order."""
    frame = raw_table(spec, work, spec.split.on)
    in_test = frame["Id"].isin(set(sessions_in(work.path(_TEST))))
    return Parts(frame[~in_test], frame[in_test])


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the sample submission: for each session all gestures in a random order.

    Mended, the archive of the test sessions holds no file with their labels.
    """
    if spec.variant == "fixed":
        _copy_without_labels(work.path(_TEST), trees.public / "test.tar.gz")
    rng = random.Random(0)  # noqa: S311 - the published seed
    lines = ["Id,Sequence"]
    for name in sorted(parts.test["Id"]):
        order = rng.sample(range(1, _GESTURES + 1), _GESTURES)
        lines.append(f"{name},{' '.join(map(str, order))}")
    target = trees.public / spec.sample_submission.path
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _copy_without_labels(source: Path, target: Path) -> None:
    """Copy an archive of sessions, one session at a time, but for the ``.mat`` files in them."""
    with tarfile.open(source) as old, tarfile.open(target, "w:gz") as new:
        for entry in old:
            stream = old.extractfile(entry)
            if stream is None or not entry.name.endswith(".zip"):
                new.addfile(entry, stream)
                continue
            with tempfile.TemporaryFile() as buffer:
                try:
                    _rewrite(stream, buffer)
                except (zipfile.BadZipFile, zlib.error) as error:
                    raise RawDataError(f"{source}: {entry.name} cannot be read.") from error
                entry.size = buffer.tell()
                buffer.seek(0)
                new.addfile(entry, buffer)


def _rewrite(source: IO[bytes], target: IO[bytes]) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for member in old.infolist():
            if not member.filename.endswith(_LABELS):
                with old.open(member) as content, new.open(member, "w") as place:
                    shutil.copyfileobj(content, place)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write a table of sessions and archives of them; the other archives hold a word each."""
    import numpy as np

    rng = np.random.default_rng(seed)
    rows, number = ["Id,Sequence"], 1
    for name, size in _MINIATURE.items():
        ids = [f"{number + i:04d}" for i in range(size)]
        number += size
        _pack(folder / f"{name}.tar.gz", [f"Sample0{i}.zip" for i in ids])
        for i in ids:
            gestures = rng.integers(1, _GESTURES + 1, int(rng.integers(1, 9)))
            rows.append(f"{i},{' '.join(map(str, gestures))}")
    order = rng.permutation(len(rows) - 1) + 1
    table = "\n".join([rows[0], *(rows[i] for i in order)]) + "\n"
    (folder / spec.split.on).write_text(table)
    _write_others(spec, folder)


def _write_others(spec: Competition, folder: Path) -> None:
    """Write the archives that are only handed on, each with one word in it."""
    for name in (f.path for f in spec.raw if not (folder / f.path).exists()):
        if name.endswith(".tar.gz"):
            _pack(folder / name, ["Sample09999.zip"])
            continue
        word = folder / "word.txt"
        word.write_text(name)
        os.utime(word, (0, 0))  # the same bytes each time
        pack(folder / name, [("word.txt", word)])
        word.unlink()


def _pack(archive: Path, names: list[str]) -> None:
    """Write a tar of zips, the same bytes each time."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as target:
        for name in names:
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w") as session:
                for end in ("_audio.wav", f"_data{_LABELS}"):
                    session.writestr(zipfile.ZipInfo(name.replace(".zip", end)), name + end)
            entry = tarfile.TarInfo(name)
            entry.size = len(buffer.getvalue())
            target.addfile(entry, io.BytesIO(buffer.getvalue()))
    archive.write_bytes(gzip.compress(whole.getvalue(), mtime=0))


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
