"""Logs within archives are read like others, bounded; what was not read is told."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from audit.check import check
from detectors import packed_logs
from detectors.rules.answers_read import AnswersRead
from reports.schema import LogLines, Outcome
from tests.conftest import write_attempt

BAD = b"$ cat /private/data/t/prepared/private/test.csv\nid,y\n1,0\n"
GOOD = b"$ python train.py\nfold 0 0.8\n"


def zipped(**files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return held.getvalue()


def tarred(mode="w", **files):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode=mode) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"run/{name.replace('__', '.')}")
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return held.getvalue()


def zstd(content):
    return pytest.importorskip("backports.zstd").compress(content)


def attempt_with(tmp_path, **files):
    logs = {name.replace("__", "."): content for name, content in files.items()}
    return write_attempt(tmp_path / "spaceship-titanic_1", logs=logs)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.zip", zipped(agent__log=BAD), id="zip"),
        pytest.param("a.tar", tarred(agent__log=BAD), id="tar"),
        pytest.param("a.tar.gz", tarred("w:gz", agent__log=BAD), id="tar-gz"),
        pytest.param("a.tgz", tarred("w:gz", x__png=b"p", agent__log=BAD), id="tgz-beside-data"),
        pytest.param("a.tar.bz2", tarred("w:bz2", agent__log=BAD), id="tar-bz2"),
        pytest.param("a.tar.xz", tarred("w:xz", agent__log=BAD), id="tar-xz"),
        pytest.param("agent.log.gz", gzip.compress(BAD), id="gz"),
        pytest.param("agent.log.gz", gzip.compress(GOOD) + gzip.compress(BAD), id="gz-of-two"),
        pytest.param("agent.log.bz2", bz2.compress(GOOD) + bz2.compress(BAD), id="bz2-of-two"),
        pytest.param("agent.log.xz", lzma.compress(BAD), id="xz"),
        pytest.param("agent.log.zst", zstd(BAD), id="zst"),
        pytest.param("a.tar.zst", zstd(tarred(agent__log=BAD)), id="tar-zst"),
        pytest.param("a.tar", tarred(agent__log__gz=gzip.compress(BAD)), id="gz-in-tar"),
        pytest.param("a.zip", zipped(agent__log=BAD)[:-40], id="zip-without-its-end"),
        pytest.param("a.eval", zipped(agent__log=BAD), id="zip-named-as-an-evaluation"),
    ],
)
def test_a_log_in_an_archive_is_read(tmp_path, name, content):
    result = check(AnswersRead(), attempt_with(tmp_path, **{name: content}))

    assert result.outcome is Outcome.FLAGGED
    shown = result.findings[0].evidence[0]
    assert isinstance(shown, LogLines)
    assert shown.path.startswith(f"logs/{name}!")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.zip", zipped(agent__log=GOOD), id="zip"),
        pytest.param("a.tar.gz", tarred("w:gz", agent__log=GOOD, x__png=b"\x89PNG"), id="tar"),
        pytest.param("agent.log.gz", gzip.compress(GOOD), id="gz"),
        pytest.param("notes.gz", GOOD, id="a-text-by-a-wrong-name"),
    ],
)
def test_an_honest_archive_is_clean(tmp_path, name, content):
    assert check(AnswersRead(), attempt_with(tmp_path, **{name: content})).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("a.tar", tarred(l="/etc/passwd", agent__log=GOOD), "a link", id="link"),
        pytest.param("a.tar.gz", tarred("w:gz", agent__log=GOOD)[:60], "a.tar.gz", id="cut-short"),
        pytest.param("a.zip", b"PK\x03\x04" + b"\0" * 9, "no file", id="no-zip-inside"),
        pytest.param("a.eval", b"PK\x03\x04zz", "no file", id="no-evaluation-inside"),
        pytest.param("a.zip", zipped(b__tar=tarred(x__log=BAD)), "within a zip", id="tar-in-zip"),
        pytest.param("a.gz", gzip.compress(gzip.compress(BAD)), "more than once", id="gz-in-gz"),
        pytest.param("a.xz", lzma.compress(BAD)[:-20], "end is missing", id="xz-cut-short"),
    ],
)
def test_what_was_not_read_is_told_and_clears_nobody(tmp_path, name, content, says):
    attempt = attempt_with(tmp_path, **{name: content, "agent.log": GOOD})

    assert any(says in told for told in attempt.unread["logs"])
    result = check(AnswersRead(), attempt)
    assert result.outcome is Outcome.NOT_AVAILABLE
    assert says in (result.reason or "")


def test_a_bomb_is_read_up_to_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(packed_logs, "MAX_UNPACKED", 1 << 16)
    attempt = attempt_with(tmp_path, **{"a.log.gz": gzip.compress(b"0" * (1 << 22))})

    assert sum(len(log.text) for log in attempt.logs) <= 1 << 16
    assert check(AnswersRead(), attempt).outcome is Outcome.NOT_AVAILABLE


def test_many_unread_files_are_counted_and_the_first_named(tmp_path):
    links = {f"l{n}": "/etc/passwd" for n in range(9)}
    attempt = attempt_with(tmp_path, **{"a.tar": tarred(**links), "agent.log": GOOD})
    gap = attempt.gap(frozenset({"logs"}))

    assert "9 files" in str(gap)
    assert "run/l0" in str(gap)
    assert "run/l8" not in str(gap)


@pytest.mark.parametrize("size", [10_000, 5 << 20], ids=["small", "large"])
def test_a_log_that_was_emptied_while_it_was_written_to_is_read_behind_its_hole(tmp_path, size):
    result = check(AnswersRead(), attempt_with(tmp_path, agent__log=b"\0" * size + BAD))

    assert result.outcome is Outcome.FLAGGED
    shown = result.findings[0].evidence[0]
    assert isinstance(shown, LogLines)
    assert shown.excerpt.startswith("$ cat /private")
