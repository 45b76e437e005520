"""Loops handed to a cluster: one made for the call, one that listens, and what is told instead."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec

import pytest

from audit.engine import LOCAL_ENGINES, check_engine, completed
from audit.runner.group import RunOptions
from audit.runner.limits import Limits
from competitions.errors import MissingLibraryError, RunError, UsageError

HAS_RAY = find_spec("ray") is not None
NEEDS_RAY = pytest.mark.skipif(not HAS_RAY, reason="ray is not installed: extra `cluster`")
CLUSTERS = ["dask", pytest.param("ray", marks=NEEDS_RAY)]


def _square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def _refuse(number: int) -> None:
    raise UsageError(f"Found {number}.")


def _die(caller: int) -> None:
    if os.getpid() == caller:
        raise AssertionError("it was not handed out")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("engine", CLUSTERS)
def test_a_cluster_made_for_the_call_does_every_item_once_elsewhere(engine, jobs):
    done = list(completed(_square, range(12), jobs=jobs, engine=engine))

    assert sorted(square for square, _ in done) == [n * n for n in range(12)]
    assert os.getpid() not in {pid for _, pid in done}


@pytest.mark.slow
def test_a_cluster_that_listens_is_used_and_left_running(tmp_path):
    from distributed import LocalCluster

    places = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "local_directory": tmp_path}
    with LocalCluster(n_workers=2, **places) as cluster:
        address = cluster.scheduler_address
        for _ in range(2):
            done = list(completed(_square, range(5), engine="dask", address=address))
            assert sorted(square for square, _ in done) == [0, 1, 4, 9, 16]


@pytest.mark.slow
@pytest.mark.parametrize("engine", CLUSTERS)
def test_what_an_item_raises_ends_the_loop_as_itself(engine):
    with pytest.raises(UsageError, match="Found"):
        list(completed(_refuse, range(3), jobs=1, engine=engine))


@pytest.mark.slow
@pytest.mark.parametrize("engine", CLUSTERS)
def test_workers_that_are_killed_are_told(engine):
    with pytest.raises(RunError, match="killed"):
        list(completed(_die, [os.getpid()] * 2, jobs=1, engine=engine))


@pytest.mark.slow
def test_an_address_where_nobody_listens_is_told():
    with pytest.raises(RunError, match=r"tcp://127\.0\.0\.1:9"):
        list(completed(_square, range(2), engine="dask", address="tcp://127.0.0.1:9"))


@pytest.mark.parametrize(
    ("engine", "address", "told"),
    [
        pytest.param("loky", "tcp://127.0.0.1:8786", "the engine is loky", id="a-local-engine"),
        pytest.param("dask", "somewhere", "'somewhere'", id="no-port"),
        pytest.param("carrier-pigeon", None, "carrier-pigeon", id="no-engine"),
    ],
)
def test_an_address_that_cannot_be_meant_is_a_usage_error(engine, address, told):
    with pytest.raises(UsageError, match=told):
        list(completed(_square, range(2), engine=engine, address=address))


@pytest.mark.skipif(HAS_RAY, reason="ray is installed")
def test_a_cluster_whose_library_is_missing_is_told_with_the_library():
    with pytest.raises(MissingLibraryError, match="ray"):
        list(completed(_square, range(2), engine="ray"))


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_attempts_are_run_on_this_machine_only(engine):
    with pytest.raises(UsageError, match=", ".join(LOCAL_ENGINES)):
        RunOptions(Limits(30), lambda: None, engine=engine)  # type: ignore[arg-type, return-value]
    with pytest.raises(UsageError):
        check_engine(1, engine)
