"""Which process does the work: one function over many items, here or on several cores.

The loops that grow are plain functions of one picklable item. joblib hands them out; a cluster is
one of its backends, never a queue of ours.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

ENGINES = ("loky", "threading")
_ORPHAN_POLL_S = 0.5


def check_engine(jobs: int, engine: str) -> None:
    """Refuse what no loop can be run with, before anything is begun.

    Raises
    ------
    UsageError
        When there are fewer than one job, or no engine is called this.
    """
    if jobs < 1:
        raise UsageError(f"Expected at least 1 job, found {jobs}.")
    if engine not in ENGINES:
        raise UsageError(f"Expected an engine of {', '.join(ENGINES)}; found {engine!r}.")


def completed(
    function: Callable[[_Item], _Result],
    items: Sequence[_Item],
    *,
    jobs: int = 1,
    engine: str = "loky",
) -> Iterator[_Result]:
    """Yield ``function(item)`` for every item, in the order in which they are done.

    Parameters
    ----------
    function : callable
        Whatever it raises ends the loop; let it return its failures where the rest should go on.
    jobs : int
        How many at once. With one, everything happens in this process.
    engine : {"loky", "threading"}
        Processes or threads.

    Raises
    ------
    UsageError
        When there are fewer than one job, or no engine is called this.
    """
    check_engine(jobs, engine)
    if jobs == 1 or len(items) < 2:  # noqa: PLR2004 - one item needs no workers
        yield from map(function, items)
        return
    import joblib

    # A worker looks after its parent from its start on: an idle one would outlive it for minutes.
    more = {"initializer": _watch_parent, "initargs": (os.getpid(),)} if engine == "loky" else {}
    with joblib.parallel_config(backend=engine, **more):
        workers = joblib.Parallel(n_jobs=min(jobs, len(items)), return_as="generator_unordered")
        yield from workers(joblib.delayed(function)(item) for item in items)


def _watch_parent(parent: int) -> None:
    """End this worker process, and its children with it, when its parent is gone."""
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_ORPHAN_POLL_S)
    os._exit(1)  # not sys.exit: that would end this thread alone
