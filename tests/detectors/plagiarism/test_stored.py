"""Arrays in files of which parts are read, and the best of many scores."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.corpus.ranking import highest
from detectors.plagiarism.corpus.stored import Stored

N = 300_000


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    place = tmp_path_factory.mktemp("stored") / "numbers"
    np.arange(0, 7 * N, 7, dtype=np.uint64).tofile(place)
    return place


RANGES = st.lists(st.tuples(st.integers(0, N), st.integers(0, 40)), max_size=20)


@given(ranges=RANGES)
def test_ranges_are_read_one_after_the_other(path, ranges):
    begin = np.array([b for b, _ in ranges], np.int64)
    end = np.array([min(N, b + n) for b, n in ranges], np.int64)
    whole = np.arange(0, 7 * N, 7, dtype=np.uint64)
    expected = [whole[b:e] for b, e in zip(begin, end, strict=True)]

    assert Stored(path, np.uint64).read(begin, end).tolist() == (
        np.concatenate(expected).tolist() if expected else []
    )


def test_ranges_that_no_memory_holds_are_read_from_the_disk(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)
    begin = np.arange(0, N - 10, 5_000)

    found = Stored(path, np.uint64).read(begin, begin + 2)

    assert found.reshape(-1, 2).tolist() == [[7 * b, 7 * b + 7] for b in begin.tolist()]


@pytest.mark.parametrize(
    ("begin", "end"),
    [(-1, 3), (5, 4), (N, N + 1), (N + 5, N + 5), (0, 1 << 62)],
    ids=["before", "backwards", "one-more", "empty-beyond", "very-long"],
)
def test_places_that_a_file_has_not_are_no_numbers(path, begin, end):
    with pytest.raises(IndexError):
        Stored(path, np.uint64).read(np.array([begin]), np.array([end]))


def test_a_file_that_was_cut_after_it_was_opened_is_told(tmp_path):
    np.arange(100, dtype=np.uint32).tofile(tmp_path / "n")
    opened = Stored(tmp_path / "n", np.uint32)
    os.truncate(tmp_path / "n", 40)

    with pytest.raises(IndexError):
        opened.read(np.array([0]), np.array([100]))


def n_open():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_files_are_closed_with_what_opened_them(path):
    before = n_open()
    for _ in range(50):
        Stored(path, np.uint64).at(3)

    assert n_open() == before


def resident_of_files():
    return int(Path("/proc/self/status").read_text().split("RssFile:")[1].split()[0])


def test_reading_here_and_there_leaves_none_of_the_file_resident(path):
    opened = Stored(path, np.uint64)
    before = resident_of_files()
    begin = np.arange(0, N - 10, 512)  # each page of the file
    opened.read(begin, begin + 1)

    assert resident_of_files() - before < path.stat().st_size >> 12  # in KiB: a quarter of it


SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), max_size=40)


@given(scores=SCORES, most=st.integers(0, 45))
def test_the_highest_are_those_of_a_whole_sort(scores, most):
    values = np.array(scores, np.float64)

    assert (
        highest(values, most).tolist()
        == np.lexsort((np.arange(len(values)), -values))[:most].tolist()
    )
