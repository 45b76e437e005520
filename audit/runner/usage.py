"""How much memory a set of processes uses, with what they keep in scratch folders."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Each is a file system in memory of its own inside the sandbox; the share of the limit bounds it.
SCRATCH = {"/tmp": 0.5, "/home": 0.25, "/dev/shm": 0.25}  # noqa: S108 - inside
_BLOCK = 512  # the unit of st_blocks
_PROC = Path("/proc")


class _Share(NamedTuple):
    """One process's part of memory; None where the kernel does not tell shared memory apart."""

    own: int
    shared: int | None


def used_by(pids: Iterable[int]) -> int:
    """Return the bytes that processes use together.

    Pages that several map are divided among them. Shared memory is counted as mapped or as kept in
    scratch folders and memory files, whichever is more: most is both, and must not count twice.
    """
    members = list(pids)
    shares = [_share(pid) for pid in members]
    own = sum(share.own for share in shares)
    mapped = [share.shared for share in shares if share.shared is not None]
    if len(mapped) < len(shares):
        return own + sum(mapped)
    return own + max(sum(mapped), _in_scratch(members) + _in_memory_files(members))


def _share(pid: int) -> _Share:
    with contextlib.suppress(OSError):
        text = (_PROC / str(pid) / "smaps_rollup").read_text()
        found = {line.split()[0]: int(line.split()[1]) << 10 for line in text.splitlines()[1:]}
        shared = found.get("Pss_Shmem:")
        return _Share(found["Pss:"] - (shared or 0), shared)
    import psutil

    with contextlib.suppress(psutil.Error):
        return _Share(int(psutil.Process(pid).memory_info().rss), None)
    return _Share(0, 0)


def _in_scratch(pids: Iterable[int]) -> int:
    """Sum what the scratch folders hold inside, for processes that have a sandbox of their own."""
    ours = set(_devices(Path("/")))
    found: dict[int, int] = {}
    seen = {_namespace("self")}
    for pid in pids:
        if (namespace := _namespace(str(pid))) in seen:
            continue
        seen.add(namespace)
        root = _PROC / str(pid) / "root"
        for name, device in zip(SCRATCH, _devices(root), strict=True):
            # While a sandbox is being laid out, its processes still stand on the host's folders.
            if device is not None and device not in ours and device not in found:
                with contextlib.suppress(OSError):
                    state = os.statvfs(root / name[1:])
                    found[device] = (state.f_blocks - state.f_bfree) * state.f_frsize
    return sum(found.values())


def _namespace(pid: str) -> str | None:
    with contextlib.suppress(OSError):
        return str((_PROC / pid / "ns" / "mnt").readlink())
    return None


def _devices(root: Path) -> Iterator[int | None]:
    """Yield the file system each scratch folder below a root is on."""
    for name in SCRATCH:
        try:
            yield (root / name[1:]).stat().st_dev
        except OSError:
            yield None


def _in_memory_files(pids: Iterable[int]) -> int:
    """Sum the memory files (memfd) that processes hold open, each once, mapped or not."""
    found: dict[tuple[int, int], int] = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for path in (_PROC / str(pid) / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if str(path.readlink()).startswith("/memfd:"):
                        state = path.stat()
                        found[state.st_dev, state.st_ino] = state.st_blocks * _BLOCK
    return sum(found.values())
