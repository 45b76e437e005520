"""Events that are read once and kept while their log is, within a bound."""

from __future__ import annotations

import pytest

from detectors.kept import Kept
from detectors.text_file import TextFile
from detectors.trajectories import events as module
from detectors.trajectories.events import events
from tests.detectors.trajectories.stories import TOLD

LOG = "$ ls\ntrain.csv\n" * 50


@pytest.fixture
def readings(monkeypatch):
    """Count how often a log is read, with an empty store of one MiB."""
    from detectors.trajectories.readers import reader_of

    seen = []

    def counted(log):
        seen.append(log.name)
        return reader_of(log)

    monkeypatch.setattr("detectors.trajectories.readers.reader_of", counted)
    monkeypatch.setattr(module, "_KEPT", Kept(1 << 20))
    return seen


def test_a_log_is_read_once_and_gives_every_asker_the_same(readings):
    log = TextFile("a.log", LOG)
    first = list(events([log]))

    assert list(events([log])) == first
    assert readings == ["a.log"]


def test_logs_of_one_content_are_not_taken_for_each_other(readings):
    list(events([TextFile("a.log", LOG)]))
    one, other = TextFile("a.log", LOG), TextFile("a.log", LOG)
    list(events([one, other]))

    assert one == other
    assert len(readings) == 3


def test_what_was_read_in_part_is_not_kept(readings):
    log = TextFile("a.log", LOG)
    next(iter(events([log])))

    assert len(list(events([log]))) > 1
    assert len(readings) == 2


def test_two_readings_at_once_both_give_all(readings):
    log = TextFile("a.log", LOG)
    pairs = list(zip(events([log]), events([log]), strict=True))

    assert all(one == other for one, other in pairs)
    assert [one for one, _ in pairs] == list(events([log]))
    assert len(readings) == 2


def test_more_than_there_is_room_for_is_read_anew_and_whole(readings, monkeypatch):
    monkeypatch.setattr(module, "_KEPT", Kept(2_000))
    log = TextFile("a.log", LOG)
    first = list(events([log]))

    assert list(events([log])) == first
    assert len(readings) == 2
    assert module._KEPT.left == 2_000


def test_a_large_file_is_streamed_each_time(readings, tmp_path, monkeypatch):
    monkeypatch.setattr("detectors.text_file.MAX_HELD_BYTES", 0)
    log = TOLD[0].log(tmp_path)
    first = list(events([log]))

    assert log.is_large
    assert list(events([log])) == first
    assert len(readings) == 2
    assert module._KEPT.left == 1 << 20


def test_events_are_let_go_with_their_log(readings):
    log = TextFile("a.log", LOG)
    list(events([log]))
    taken = module._KEPT.left
    del log

    assert readings
    assert taken < module._KEPT.left == 1 << 20
