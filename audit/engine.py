"""Which process does the work: one function over many items, here or on several cores.

The loops that grow are plain functions of one picklable item. joblib hands them out, or a
cluster does (`audit.clusters`); there is no queue of ours.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, TypeVar

from audit.clusters import LIBRARY, check_cluster, on_cluster
from competitions.errors import RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

LOCAL_ENGINES = ("loky", "threading")
ENGINES = (*LOCAL_ENGINES, *LIBRARY)
_ORPHAN_POLL_S = 0.5
_MOST_DEATHS = 3


def check_engine(
    jobs: int, engine: str, address: str | None = None, known: Sequence[str] = LOCAL_ENGINES
) -> None:
    """Refuse what no loop can be run with, before anything is begun.

    Parameters
    ----------
    address : str or None
        Where a cluster listens.
    known : sequence of str
        The engines that may be asked for: attempts are run on this machine alone.

    Raises
    ------
    UsageError
        When there are fewer than one job, no engine is called this, one that works on this
        machine is given an address, or the address names no port.
    MissingLibraryError
        When a cluster's library is not installed.
    """
    if jobs < 1:
        raise UsageError(f"Expected at least 1 job, found {jobs}.")
    if engine not in known:
        raise UsageError(f"Expected an engine of {', '.join(known)}; found {engine!r}.")
    if engine in LIBRARY:
        check_cluster(engine, address)
    elif address is not None:
        raise UsageError(
            f"Expected an address for {' or '.join(LIBRARY)} only; the engine is {engine}."
        )


def completed(
    function: Callable[[_Item], _Result],
    items: Sequence[_Item],
    *,
    jobs: int = 1,
    engine: str = "loky",
    address: str | None = None,
) -> Iterator[_Result]:
    """Yield ``function(item)`` for every item, in the order in which they are done.

    Where a worker process is killed, as a kernel short of memory does, joblib ends the others too.
    Items without a result are then handed out anew, so a function may meet an item twice.

    Parameters
    ----------
    function : callable
        Whatever it raises ends the loop; let it return its failures where the rest should go on.
    jobs : int
        How many at once. With one, everything happens in this process, unless the engine is a
        cluster; one that is there already works with as many as it has.
    engine : {"loky", "threading", "ray", "dask"}
        Processes, threads, or a cluster.
    address : str or None
        Where the cluster listens; None makes one on this machine for as long as this takes.

    Raises
    ------
    UsageError
        When there are fewer than one job, no engine is called this, or one that works on this
        machine is given an address.
    MissingLibraryError
        When the cluster's library is not installed.
    RunError
        When workers are killed again and again before any of them has a result, or no cluster
        answers.
    """
    check_engine(jobs, engine, address, ENGINES)
    if engine in LIBRARY and items:
        yield from on_cluster(engine, function, items, jobs, address)
        return
    if jobs == 1 or len(items) < 2:  # noqa: PLR2004 - one item needs no workers
        yield from map(function, items)
        return
    left, deaths = dict(enumerate(items)), 0
    while left:
        try:
            for number, result in _handed_out(function, list(left.items()), jobs, engine):
                del left[number]
                deaths = 0
                yield result
        except BrokenExecutor as error:
            deaths += 1
            if deaths == _MOST_DEATHS:
                raise RunError(
                    f"Worker processes were killed {deaths} times in a row before any had a "
                    f"result; {len(left)} of {len(items)} were left to do.",
                    "Let fewer run at once, such as --jobs 1: the machine may be short of memory.",
                ) from error


def _handed_out(
    function: Callable[[_Item], _Result],
    items: Sequence[tuple[int, _Item]],
    jobs: int,
    engine: str,
) -> Iterator[tuple[int, _Result]]:
    """Yield each item's number and result."""
    import joblib

    # A worker looks after its parent from its start on: an idle one would outlive it for minutes.
    more = {"initializer": _watch_parent, "initargs": (os.getpid(),)} if engine == "loky" else {}
    with joblib.parallel_config(backend=engine, **more):
        # One worker would be this process itself, and an item that kills it would end everything.
        at_once = min(jobs, max(2, len(items)))
        workers = joblib.Parallel(n_jobs=at_once, return_as="generator_unordered")
        yield from workers(joblib.delayed(_numbered)(function, *item) for item in items)


def _numbered(
    function: Callable[[_Item], _Result], number: int, item: _Item
) -> tuple[int, _Result]:
    return number, function(item)


def _watch_parent(parent: int) -> None:
    """End this worker process, and its children with it, when its parent is gone."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    os._exit(1)  # not sys.exit: that would end this thread alone
