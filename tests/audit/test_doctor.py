"""The doctor: every probe tells a machine's state truly, breaks no other, and leaves nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from audit.cli import app
from audit.console import MIN_PARAGRAPH, wrapped
from audit.doctor import PROBES, Probe, Row, diagnose, is_able, this_machine
from audit.runner.bubblewrap import bubblewrap_problem

NOW = datetime(2100, 1, 1, tzinfo=UTC)
WORKS = pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")


@pytest.fixture
def around(tmp_path):
    return this_machine(tmp_path / "d", tmp_path / "r", tmp_path / "c", NOW)


def crash(around):
    raise RuntimeError("no\nidea")


def leave(around):
    sys.exit(3)


@pytest.mark.parametrize(
    ("look", "said"),
    [
        pytest.param(crash, "RuntimeError: no idea", id="crashes"),
        pytest.param(leave, "SystemExit: 3", id="ends-the-process"),
        pytest.param(lambda _: threading.Event().wait(), "no answer within 0.2 s", id="hangs"),
    ],
)
def test_a_probe_that_breaks_is_unknown_and_the_others_go_on(around, look, said):
    probes = (
        Probe("first", lambda _: Row("ok", "fine")),
        Probe("broken", look, is_needed=True),
        Probe("last", lambda _: Row("missing", "not here")),
    )
    first, broken, last = diagnose(around, probes, patience_s=0.2)

    assert (first.status, broken.status, last.status) == ("ok", "unknown", "missing")
    assert said in broken.means
    assert (broken.capability, broken.is_needed) == ("broken", True)


@pytest.mark.parametrize(
    ("status", "needed", "able"),
    [
        ("ok", True, True),
        ("limited", True, True),
        ("missing", True, False),
        ("unknown", True, False),
        ("missing", False, True),
        ("unknown", False, True),
    ],
)
def test_only_what_is_needed_and_not_there_keeps_agents_from_running(status, needed, able):
    fine = Row("ok", "", capability="a", is_needed=True)

    assert is_able([fine, Row(status, "", capability="b", is_needed=needed)]) is able


def test_names_are_unique_and_what_agents_need_is_marked():
    assert len({probe.capability for probe in PROBES}) == len(PROBES)
    assert {probe.capability for probe in PROBES if probe.is_needed} == {
        "sandbox",
        "data folder",
        "run folder",
        "cache folder",
        "temporary folder",
    }


def groups():
    """List the control groups that this process has made."""
    return set(Path("/sys/fs/cgroup").glob(f"**/mle-audit-{os.getpid()}-*"))


def test_this_machine_is_told_whole_and_nothing_is_left_behind(tmp_path, around):
    before = groups()
    rows = diagnose(around)

    assert [row.means for row in rows if "could not be found out" in row.means] == []
    assert all(row.means and row.capability for row in rows)
    drawbacks = [row for row in rows if row.status in {"limited", "missing"}]
    assert {row.capability for row in drawbacks if not row.remedy} <= {"gpu", "docker"}
    assert list(tmp_path.iterdir()) == []
    assert groups() == before


def invoke(tmp_path, *words):
    return CliRunner().invoke(app, ["doctor", "--data-dir", str(tmp_path / "d"), *words])


def test_json_has_one_object_per_capability(tmp_path):
    done = invoke(tmp_path, "--run-dir", str(tmp_path / "r"), "--json")
    rows = json.loads(done.stdout)

    assert [row["capability"] for row in rows] == [probe.capability for probe in PROBES]
    assert set(rows[0]) == {"capability", "status", "needed", "means", "remedy"}
    assert list(tmp_path.iterdir()) == []


def test_where_agents_cannot_be_run_it_ends_with_3_and_says_which_row(tmp_path):
    done = invoke(tmp_path, "--run-dir", "/proc/nowhere")

    assert done.exit_code == 3
    assert "Agents cannot be run here: see " in done.stdout
    assert "run folder" in done.stdout.splitlines()[-1]


@WORKS
@pytest.mark.sandbox
def test_where_agents_can_be_run_it_ends_with_0(tmp_path, monkeypatch):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(tmp_path / "c"))
    done = invoke(tmp_path, "--run-dir", str(tmp_path / "r"))

    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Agents can be run here.")


def test_a_terminal_that_is_not_utf8_is_told_and_still_served(tmp_path):
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    words = [sys.executable, "-m", "audit.cli", "doctor", "--data-dir", str(tmp_path)]
    done = subprocess.run(words, check=False, capture_output=True, env=os.environ | plain)
    said = done.stdout.decode("ascii", "replace")

    assert done.returncode in {0, 3}, done.stderr
    assert "encoding            limited" in said
    assert "PYTHONUTF8=1" in said


@given(
    rows=st.lists(
        st.tuples(
            st.text("abc ", min_size=1, max_size=20),
            st.sampled_from(["ok", "limited"]),
            st.lists(st.none() | st.text("abcdefg hij", max_size=200), max_size=3),
        ),
        max_size=5,
    ),
    width=st.integers(1, 200),
)
def test_rows_fit_the_terminal_unless_a_word_does_not(rows, width):
    names = max((len(name) for name, _, _ in rows), default=0)
    indent = names + 4 + max((len(word) for _, word, _ in rows), default=0)
    words = [w for _, _, texts in rows for t in texts if t for w in t.split()]
    longest = max(map(len, words), default=0)
    shown = wrapped(rows, width)

    fits = max(min(width, 120), indent + max(MIN_PARAGRAPH, longest))
    assert all(len(line) <= fits for line in shown.splitlines())
    assert [w for line in shown.splitlines() for w in line[indent:].split()] == words
