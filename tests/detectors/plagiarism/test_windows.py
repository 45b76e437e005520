"""Candidates by windows: a part is found as well as the whole, in memory and in a real Redis."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time

import numpy as np
import pytest

from competitions.errors import EvidenceUnavailableError, UsageError
from detectors.plagiarism.corpus.build import build
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.fingerprints import fingerprint
from detectors.plagiarism.windows import WindowedLSH, windowed_candidates
from tests.detectors.plagiarism.test_corpus import folder_of, script


@pytest.fixture
def corpus(tmp_path):
    source = folder_of(tmp_path / "s", **{f"k{i}": script(i) for i in range(12)})
    build([source], tmp_path / "c", competition="x")
    return Corpus.open(tmp_path / "c")


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    """The address of a Redis of our own."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    pytest.importorskip("redis")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = tmp_path_factory.mktemp("redis")
    options = ["--bind", "127.0.0.1", "--save", "", "--dir", str(place), "--port", str(port)]
    server = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def named(corpus, numbers):
    return {corpus.entry(n).name for n in numbers}


PART = "\n".join(script(4).splitlines()[20:35])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(script(4), id="whole"),
        pytest.param(script(4).replace("v1", "frame"), id="renamed"),
        pytest.param(f"{script(90)}{PART}\n{script(91)}", id="a-quarter-within-other-code"),
    ],
)
def test_the_source_of_a_copy_is_a_candidate(corpus, text):
    found = windowed_candidates(corpus, [fingerprint(text).hashes], "x")

    assert "k4.py" in named(corpus, found)


def test_unlike_code_has_no_candidates(corpus):
    assert not windowed_candidates(corpus, [fingerprint(script(90)).hashes], "x")


def test_a_text_of_no_runs_has_no_candidates(corpus):
    assert not windowed_candidates(corpus, [np.empty(0, np.uint64)], "x")


def test_redis_holds_what_memory_does_and_is_not_filled_twice(corpus, redis, monkeypatch):
    asked = [fingerprint(f"{script(90)}{PART}").hashes]
    found = windowed_candidates(corpus, asked, "x", redis)

    assert found == windowed_candidates(corpus, asked, "x")
    name = f"{corpus.digest} {(0, 12)}"
    again = WindowedLSH(redis, name)
    assert not again.is_empty
    assert frozenset(again.candidates(asked[0])) == found


@pytest.mark.parametrize("storage", ["nowhere", "http://127.0.0.1", "redis://"])
def test_what_is_no_address_of_redis_is_told(storage):
    with pytest.raises(UsageError, match=r"redis://127\.0\.0\.1:6379"):
        WindowedLSH(storage)


@pytest.mark.slow
def test_a_redis_that_is_not_there_is_told():
    pytest.importorskip("redis")
    with pytest.raises(EvidenceUnavailableError, match=r"127\.0\.0\.1:1"):
        WindowedLSH("redis://127.0.0.1:1")
