"""Clusters that do the work of a loop: one that listens somewhere, or one made here for a call.

Workers of a cluster elsewhere need mle-audit installed, and the same files at the same paths.
"""

from __future__ import annotations

import contextlib
import os
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from competitions.errors import MissingLibraryError, RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    _Item = TypeVar("_Item")
    _Result = TypeVar("_Result")

LIBRARY = {"ray": "ray", "dask": "distributed"}
_EXAMPLE = {"ray": "10.0.0.1:6379", "dask": "tcp://10.0.0.1:8786"}
_CONNECT_S = 10


def check_cluster(engine: str, address: str | None = None) -> None:
    """Refuse a cluster that cannot be used, before anything is begun.

    Raises
    ------
    MissingLibraryError
        When its library is not installed.
    UsageError
        When the address names no port.
    """
    if address is not None and not address.rpartition(":")[2].isdigit():
        raise UsageError(f"Expected an address such as {_EXAMPLE[engine]}, found {address!r}.")
    if find_spec(LIBRARY[engine]) is None:
        raise MissingLibraryError(LIBRARY[engine], f"The engine {engine} cannot be used")


def on_cluster(
    engine: str,
    function: Callable[[_Item], _Result],
    items: Sequence[_Item],
    jobs: int,
    address: str | None = None,
) -> Iterator[_Result]:
    """Yield ``function(item)`` for every item, in the order in which they are done.

    The clusters' own futures are used, not their backends for joblib: of those one waits for ever
    when a worker is killed (dask), and the other has all results at the end (ray).

    Parameters
    ----------
    engine : {"ray", "dask"}
    jobs : int
        Workers of a cluster made here; one that is there already has its own.
    address : str or None
        Where it listens. None makes one on this machine, which ends with the loop.

    Raises
    ------
    RunError
        When nothing answers at the address, or workers are killed again and again.
    """
    yield from (_on_dask if engine == "dask" else _on_ray)(function, items, jobs, address)


def _on_dask(
    function: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int, address: str | None
) -> Iterator[_Result]:
    import dask
    from distributed import Client, KilledWorker, LocalCluster, as_completed

    with contextlib.ExitStack() as stack:
        scratch = stack.enter_context(_scratch())
        stack.enter_context(dask.config.set({"temporary-directory": scratch}))
        if address is None:
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=jobs,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                host="127.0.0.1",
                local_directory=scratch,
            )
            address = stack.enter_context(cluster).scheduler_address
        try:
            client = Client(  # type: ignore[no-untyped-call]
                address, timeout=_CONNECT_S, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise _silent("dask", address) from error
        stack.enter_context(client)
        try:
            futures = client.map(function, items, pure=False)
            done = as_completed(  # type: ignore[no-untyped-call]
                futures, loop=client.loop, with_results=True
            )
            for _, result in done:
                yield result
        except KilledWorker as error:
            raise _killed("dask") from error


def _on_ray(
    function: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int, address: str | None
) -> Iterator[_Result]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # else it tells its makers of this call
    import ray

    with _scratch() as scratch:
        here: dict[str, Any] = {"num_cpus": jobs, "include_dashboard": False, "_temp_dir": scratch}
        told: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        try:
            ray.init(address=address, **told, **(here if address is None else {}))
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise _silent("ray", address or "this machine") from error
        try:
            work = ray.remote(_called)
            waiting = [work.remote(function, item) for item in items]
            while waiting:
                done, waiting = ray.wait(waiting)
                yield from map(ray.get, done)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.WorkerCrashedError as error:
            raise _killed("ray") from error
        finally:
            ray.shutdown()


def _called(function: Callable[[_Item], _Result], item: _Item) -> _Result:
    return function(item)


def _scratch() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="mle-audit-", ignore_cleanup_errors=True)


def _killed(engine: str) -> RunError:
    return RunError(
        f"Workers of the {engine} cluster were killed again and again.",
        "Let fewer run at once, such as --jobs 1: a machine may be short of memory.",
    )


def _silent(engine: str, address: str) -> RunError:
    return RunError(
        f"No {engine} cluster answers at {address}.",
        "Look at its address and, where it asks for one, at its token (ray: RAY_AUTH_TOKEN); "
        "without --engine-address one is made on this machine.",
    )
