"""How much disk an attempt fills, measured while it runs.

The folders are an agent's, hence hostile: links are not followed, folders may be nested without end
or become something else while they are read, and files may be deleted and still be held open.
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.disk import size_text
from competitions.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from audit.runner.limits import Limits

MAX_ENTRIES = 1_000_000  # files and folders; a multitude hurts a file system as bytes do
_MAX_FLOOR_BYTES = 512 << 20
_FLOOR_SHARE = 0.01
_BLOCK = 512  # the unit of st_blocks
_TICK_S = 0.25
# A scan of a second is followed by so many without one; by fewer where the disk fills up meanwhile.
_REST, _SHORT_REST = 33, 9
_LONG_NAME = 2000  # half of what the kernel takes for a path
_MAX_HELD = 128
_LOOK_UP = 4096  # entries

_Identity = tuple[int, int]  # device and inode


class Usage(NamedTuple):
    """What some folders hold.

    Parameters
    ----------
    size : int
        Bytes on disk: hard links once, holes not at all.
    entries : int
        Files and folders.
    devices : frozenset of int
        The file systems they are on.
    is_whole : bool
        False when folders are nested so deeply that not all could be looked at.
    """

    size: int
    entries: int
    devices: frozenset[int]
    is_whole: bool


def measure(
    folders: Sequence[Path],
    enough: Callable[[int, int], bool] = lambda _size, _entries: False,
    *,
    unlock: bool = False,
) -> Usage:
    """Add up what folders hold.

    Parameters
    ----------
    enough : callable
        Asked after each entry, with bytes and entries so far, whether to look no further.
    unlock : bool
        Open folders that their owner has closed to himself. Only when nobody changes them any more.
    """
    size, entries, is_whole = 0, 0, True
    linked: set[_Identity] = set()
    devices: set[int] = set()
    for folder in folders:
        with contextlib.suppress(OSError):
            devices.add(folder.lstat().st_dev)
    for status in (status for folder in folders for status in _walk(folder, unlock=unlock)):
        if status is None:
            is_whole = False
            continue
        entries += 1
        identity = (status.st_dev, status.st_ino)
        if identity not in linked:
            size += status.st_blocks * _BLOCK
        if status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
            linked.add(identity)
        if enough(size, entries):
            break
    return Usage(size, entries, frozenset(devices), is_whole)


def _walk(root: Path, *, unlock: bool) -> Iterator[os.stat_result | None]:
    """Yield the state of all below a folder; None for a folder that is too deep to be entered.

    Names are relative to the last of the folders held open, so that none grows longer than the
    kernel takes.
    """
    held: list[int] = []
    waiting: list[tuple[int, str, os.stat_result]] = []
    with contextlib.suppress(OSError):
        waiting.append((0, str(root), root.lstat()))
    try:
        while waiting:
            level, name, seen = waiting.pop()
            while len(held) > level:
                os.close(held.pop())
            here = _open(name, held[-1] if held else None, seen, unlock=unlock)
            if here is None:
                continue
            prefix = f"{name}/"
            try:
                if len(name) > _LONG_NAME:
                    if level == _MAX_HELD:
                        yield None
                        continue
                    held.append(os.dup(here))
                    level, prefix = level + 1, ""
                for inner, status in _entries(here):
                    yield status
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append((level, prefix + inner, status))
            finally:
                os.close(here)
    finally:
        for descriptor in held:
            os.close(descriptor)


def _open(name: str, base: int | None, seen: os.stat_result, *, unlock: bool) -> int | None:
    """Open a folder; None when it cannot be read, or is not the one that was seen before."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        if unlock and stat.S_ISDIR(seen.st_mode) and ~seen.st_mode & stat.S_IRWXU:
            os.chmod(name, stat.S_IMODE(seen.st_mode) | stat.S_IRWXU, dir_fd=base)
        here = os.open(name, flags, dir_fd=base)
    except OSError:
        return None
    status = os.fstat(here)
    # A part of the path may have become a link to elsewhere.
    if (seen.st_dev, seen.st_ino) == (status.st_dev, status.st_ino):
        return here
    os.close(here)
    return None


def _entries(folder: int) -> Iterator[tuple[str, os.stat_result]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # gone meanwhile
                yield entry.name, entry.stat(follow_symlinks=False)


def deleted_but_open(pids: Iterable[int], devices: frozenset[int]) -> int:
    """Sum the files on some file systems that have no name any more and are held open or mapped."""
    found: dict[_Identity, int] = {}
    for pid in pids:
        for identity, size in (*_opened(pid), *_mapped(pid)):
            if identity[0] in devices:
                found[identity] = max(size, found.get(identity, 0))
    return sum(found.values())


def _opened(pid: int) -> Iterator[tuple[_Identity, int]]:
    """Yield the files without a name that a process holds open, with what they take."""
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat()
                if status.st_nlink == 0 and stat.S_ISREG(status.st_mode):
                    yield (status.st_dev, status.st_ino), status.st_blocks * _BLOCK


def _mapped(pid: int) -> Iterator[tuple[_Identity, int]]:
    """Yield those that it has mapped: what they take, or, where we may not ask, what is mapped."""
    with contextlib.suppress(OSError, ValueError):
        lines = Path(f"/proc/{pid}/maps").read_bytes().splitlines()
        for line in (line for line in lines if line.endswith(b" (deleted)")):
            where, _, _, device, inode, _ = line.decode(errors="replace").split(maxsplit=5)
            first, last = (int(part, 16) for part in where.split("-"))
            major, minor = (int(part, 16) for part in device.split(":"))
            size = last - first
            with contextlib.suppress(OSError):
                size = Path(f"/proc/{pid}/map_files/{where}").stat().st_blocks * _BLOCK
            yield (os.makedev(major, minor), int(inode)), size


class _Room(NamedTuple):
    """What a file system has left, and what must stay free of it."""

    free: int
    floor: int


def _room(folder: Path) -> _Room | None:
    """Look at the file system of a folder; None when there is no such folder."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return None
    floor = min(_MAX_FLOOR_BYTES, int(state.f_blocks * state.f_frsize * _FLOOR_SHARE))
    return _Room(state.f_bavail * state.f_frsize, floor)


def require_room(folder: Path, limits: Limits) -> None:
    """Refuse to start where the disk is so full that every attempt would be ended at once.

    Nothing is asked where attempts have no limit of disk.

    Parameters
    ----------
    folder : Path
        Where attempts are to be made; it need not exist yet.

    Raises
    ------
    RunError
        With what must be free.
    """
    there = next((p for p in (folder, *folder.absolute().parents) if p.is_dir()), Path("/"))
    room = _room(there)
    if limits.disk_bytes is None or room is None or room.free >= room.floor:
        return
    raise RunError(
        f"Expected at least {size_text(room.floor)} free on the disk of {folder}, "
        f"found {size_text(room.free)}.",
        f"Free {size_text(room.floor - room.free)} or more there, or name another: --run-dir DIR",
    )


class DiskWatch:
    """Measures an attempt's folders again and again, in a thread of its own.

    It rests much longer than it works, so that a million files slow nothing down. Where the file
    system fills up meanwhile by as much as the attempt may still take, it rests shorter.

    Parameters
    ----------
    folders : mapping of str to Path
        What the agent may write to, by names for a reader.
    limit : int or None
        Bytes for all folders together. None: nothing is watched.
    pids : callable
        Lists the attempt's processes.
    most_entries : int
        Files and folders for all together.
    """

    def __init__(
        self,
        folders: Mapping[str, Path],
        limit: int | None,
        pids: Callable[[], Iterable[int]] = lambda: (),
        most_entries: int = MAX_ENTRIES,
    ) -> None:
        self._folders = tuple(folders.values())
        *names, last = folders or ("no folder",)
        self._where = f"{', '.join(names)} and {last}" if names else last
        self._limit = limit
        self._most_entries = most_entries
        self._pids = pids
        self._left = 0
        self._hit: str | None = None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="disk", daemon=True)
        if limit is not None:
            self._thread.start()

    @property
    def exceeded(self) -> str | None:
        """Which limit of disk was hit, in words."""
        return self._hit

    def finish(self) -> str | None:
        """Stop, and measure once more what is left now that nobody writes any more."""
        self.close()
        if self._limit is not None and self._hit is None:
            self._hit = self._judge(measure(self._folders, self._is_too_much, unlock=True))
        return self._hit

    def close(self) -> None:
        """Stop."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while self._hit is None and not self._end.is_set():
            start = time.monotonic()
            usage = measure(self._folders, self._is_enough)
            if not self._end.is_set():
                held = deleted_but_open(self._pids(), usage.devices)
                self._hit = self._judge(usage._replace(size=usage.size + held))
                self._rest(time.monotonic() - start)

    def _rest(self, took: float) -> None:
        start, before = time.monotonic(), self._rooms()
        while self._hit is None and not self._end.wait(_TICK_S):
            self._hit = self._low_room()
            rested = time.monotonic() - start
            if rested >= took * (_SHORT_REST if self._is_filling(before) else _REST):
                return

    def _is_filling(self, before: Sequence[_Room | None]) -> bool:
        """Whether a file system has lost more than the attempt may still take."""
        pairs = zip(before, self._rooms(), strict=True)
        return any(old and new and old.free - new.free > self._left for old, new in pairs)

    def _is_too_much(self, size: int, entries: int) -> bool:
        assert self._limit is not None  # noqa: S101 - nothing is measured without one
        return size > self._limit or entries > self._most_entries

    def _is_enough(self, size: int, entries: int) -> bool:
        if entries % _LOOK_UP == 0 and self._hit is None:
            self._hit = self._low_room()
        return self._is_too_much(size, entries) or self._hit is not None or self._end.is_set()

    def _judge(self, usage: Usage) -> str | None:
        assert self._limit is not None  # noqa: S101 - nothing is measured without one
        self._left = self._limit - usage.size
        if self._left < 0:
            return f"disk of {size_text(self._limit)} in {self._where}"
        if usage.entries > self._most_entries:
            return f"{self._most_entries} files and folders in {self._where}"
        if not usage.is_whole:
            return f"folders nested too deeply to be measured in {self._where}"
        return self._hit

    def _rooms(self) -> list[_Room | None]:
        return [_room(folder) for folder in self._folders]

    def _low_room(self) -> str | None:
        for room in self._rooms():
            if room and room.free < room.floor:
                return f"free disk of {size_text(room.floor)}, which must be left, whoever fills it"
        return None
