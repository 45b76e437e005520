"""What preparing a task from Kaggle asks of a machine: stated, and looked at before a download."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.board_facts import all_facts
from competitions.errors import DiskFullError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from competitions.spec import Competition

_GB = 1_000_000_000  # as Kaggle counts
_IN_WHOLE = 100  # from so many gigabytes on no part of one is told
_CONTROL_GROUP = Path("/sys/fs/cgroup/memory.max")
_COPIES = 3  # Kaggle's zip, what it unpacks to, and the prepared files, all there at one moment
_COPIES_OF_PACKED = 4  # and, where the zip holds archives, what those unpack to


class NeedsOf(NamedTuple):
    """What a task needs, in bytes; None where it is not known, or too little to be told.

    Parameters
    ----------
    disk : int or None
        Free room in the data directory while it is downloaded and prepared.
    memory : int or None
        Peak of the process that prepares; stated where raw tables or metadata are large.
    """

    disk: int | None
    memory: int | None

    @property
    def words(self) -> str:
        """Both figures in words; empty where neither is known."""
        told = ((self.disk, "on disk"), (self.memory, "of memory"))
        return ", ".join(f"{gb_text(size)} {what}" for size, what in told if size is not None)

    @property
    def figures(self) -> dict[str, float | None]:
        """Both figures in gigabytes."""
        return {
            "disk_gb": None if self.disk is None else self.disk / _GB,
            "memory_gb": None if self.memory is None else self.memory / _GB,
        }


def gb_text(size: int) -> str:
    """Write bytes in gigabytes, as Kaggle does.

    Examples
    --------
    >>> gb_text(1_352_730_000_000), gb_text(1_500_000_000), gb_text(76_200_000)
    ('1,353 GB', '1.5 GB', '0.0762 GB')
    """
    gigabytes = size / _GB
    return f"{gigabytes:,.0f} GB" if gigabytes >= _IN_WHOLE else f"{gigabytes:.3g} GB"


def needs_of(spec: Competition) -> NeedsOf:
    """Return what preparing a task from Kaggle needs.

    Notes
    -----
    The disk's figure is the one in the task's YAML, else three times the published size of the data
    set, and four times where it holds archives in its archive: all copies lie there at once until
    the prepared ones are moved into place. Files that we unpacked ourselves are linked and take no
    room of their own, so that it is an upper bound for most tasks.
    """
    facts = all_facts().get(spec.id)
    published = facts.dataset_gb if facts is not None else None
    copies = _COPIES_OF_PACKED if any(f.packed for f in spec.raw) else _COPIES
    derived = published * copies if published is not None else None
    disk = spec.needs.disk_gb or derived
    memory = spec.needs.memory_gb
    return NeedsOf(
        round(disk * _GB) if disk is not None and spec.source.kind == "kaggle" else None,
        round(memory * _GB) if memory is not None else None,
    )


def require_disk(spec: Competition, folder: Path, held: int = 0) -> None:
    """See, before anything is fetched, that a folder's disk has room for the whole preparation.

    Parameters
    ----------
    folder : Path
        Where the task is prepared; the nearest folder above it that exists is looked at.
    held : int
        Bytes of the download that are there already.

    Raises
    ------
    DiskFullError
        With what is needed and what is free.
    """
    disk = needs_of(spec).disk
    there = next(f for f in (folder, *folder.absolute().parents) if f.is_dir())
    free = shutil.disk_usage(there).free
    if disk is not None and disk - held > free:
        raise DiskFullError(
            folder,
            f"{gb_text(disk - held)} to download and prepare {spec.id}",
            gb_text(free),
            f"Use a data directory on a larger disk: mle-audit prepare -c {spec.called} "
            "--data-dir DIR",
        )


def memory_warning(spec: Competition, memory: int | None = None) -> str | None:
    """Say that a machine has less memory than a task is known to take; None where it has enough.

    Parameters
    ----------
    memory : int or None
        Bytes that the machine has; None looks.
    """
    needed = needs_of(spec).memory
    there = machine_memory() if memory is None else memory
    if needed is None or there is None or needed <= there:
        return None
    why = f" ({spec.needs.whole}, held whole)" if spec.needs.whole else ""
    return (
        f"{spec.id}: preparing it takes about {gb_text(needed)} of memory{why}, "
        f"this machine has {gb_text(there)}; the system may end it."
    )


def jobs_warning(specs: Iterable[Competition], jobs: int, memory: int | None = None) -> str | None:
    """Say that a machine has less memory than the largest tasks take that may meet in it.

    Parameters
    ----------
    jobs : int
        Tasks at once.
    memory : int or None
        Bytes that the machine has; None looks.
    """
    sizes = {spec.id: needs_of(spec).memory or 0 for spec in specs}
    largest = sorted((name for name in sizes if sizes[name]), key=lambda name: -sizes[name])[:jobs]
    needed = sum(sizes[name] for name in largest)
    there = machine_memory() if memory is None else memory
    if len(largest) < 2 or there is None or needed <= there:  # noqa: PLR2004 - one is told by itself
        return None
    return (
        f"{', '.join(largest)} at once take about {gb_text(needed)} of memory, this machine has "
        f"{gb_text(there)}; the system may end them. Fewer --jobs take less."
    )


def machine_memory(limit: Path = _CONTROL_GROUP) -> int | None:
    """Return the memory that processes here may use, in bytes; None where the system tells none.

    Parameters
    ----------
    limit : Path
        File in which the control group tells its limit, if there is one.
    """
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None
    try:
        return min(whole, int(limit.read_text(encoding="ascii")))
    except (OSError, ValueError):  # no such file, or "max"
        return whole
