"""Whether the folders that mle-audit writes to can be written and have room."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from audit.probes.base import Around, Row

FULL_BYTES = 512 << 20  # as much as `run` may want to stay free: see `audit.runner.disk`
SCARCE_BYTES = 10 << 30
_PROBE_BYTES = 1 << 20
_BLOCK = 512  # the unit of st_blocks


def data_folder(around: Around) -> Row:
    """Look at where prepared data lie."""
    return _place(around.data_dir, "name another: --data-dir DIR or MLE_AUDIT_DATA=DIR")


def run_folder(around: Around) -> Row:
    """Look at where attempts are made."""
    return _place(around.run_dir, "name another: --run-dir DIR")


def disk_limit(around: Around) -> Row:
    """See whether the file system of attempts tells what files take; `run` measures by it."""
    here = _nearest(around.run_dir.absolute())
    with tempfile.TemporaryFile(dir=here) as probe:
        probe.write(os.urandom(_PROBE_BYTES))  # zeros could be stored as a hole
        probe.flush()
        os.fsync(probe.fileno())
        told = os.fstat(probe.fileno()).st_blocks * _BLOCK
    if told < _PROBE_BYTES:
        said = f"the file system of {here} does not tell what files take: --disk bounds nothing"
        return Row("limited", said, "name another: --run-dir DIR")
    return Row("ok", "folders of attempts are measured while they run; no quota is needed")


def cache_folder(around: Around) -> Row:
    """Look at where agents' interpreters are kept."""
    return _place(around.cache_dir, "name another: MLE_AUDIT_CACHE=DIR")


def temporary_folder(around: Around) -> Row:  # noqa: ARG001 - every probe is given it
    """Look at where unfinished files are put."""
    return _place(Path(tempfile.gettempdir()), "name another: TMPDIR=DIR")


def _nearest(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())


def _place(named: Path, remedy: str) -> Row:
    """Write a nameless file into a folder, or into the nearest one above it that exists."""
    from competitions.disk import size_text

    folder = named.absolute()
    here = _nearest(folder)
    will_be = "" if here == folder else " (to be made)"
    if not here.is_dir():
        return Row("missing", f"{folder}: {here} is a file", remedy)
    try:
        with tempfile.TemporaryFile(dir=here) as probe:
            probe.write(b"\x00" * 4096)
            probe.flush()
    except OSError as error:
        why = error.strerror or error
        return Row("missing", f"{folder}{will_be} cannot be written: {why}", remedy)
    free = shutil.disk_usage(here).free
    said = f"{folder}{will_be}: writable, {size_text(free)} free"
    if free < FULL_BYTES:
        return Row("missing", f"{said}, too little for an attempt", f"free room there, or {remedy}")
    if free < SCARCE_BYTES:
        return Row("limited", f"{said}, little for real data", f"free room there, or {remedy}")
    return Row("ok", said)
