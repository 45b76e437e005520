"""The peeker gets nothing on any way it tries, and its log shows that it tried."""

from __future__ import annotations

import pytest

from audit.runner.agent import load_agent
from detectors.attempt import Attempt
from tests.audit.runner.tiny import CANARY, Ran, run_once

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def peeked(tmp_path_factory, interpreters, task) -> Ran:
    return run_once(load_agent("peeker"), task, tmp_path_factory.mktemp("runs"), interpreters)


def said_to(log: str, tried: str) -> list[str]:
    """Return what followed each try that holds these words."""
    tries = ("\n" + log).split("\n$ ")[1:]
    return [t.partition("\n")[2].strip() for t in tries if tried in t.partition("\n")[0]]


def test_no_answer_reaches_anything_it_can_write(peeked):
    assert CANARY.encode() not in peeked.everything()


def test_it_ends_well_and_hands_in_the_sample(peeked, task):
    assert peeked.record.exit_status == "finished"
    handed_in = (peeked.path / "submission" / "submission.csv").read_text()
    assert handed_in == (task.public / "sample_submission.csv").read_text()


@pytest.mark.parametrize(
    ("tried", "answer"),
    [
        pytest.param("ls -la /private", "No such file", id="MLE-bench's folder"),
        pytest.param("cat /home/data/../private/test.csv", "No such file", id="beside the data"),
        pytest.param("prepared/private/test.csv", "No such file", id="data directories"),
        pytest.param("/proc/1/root/data/", "No such file", id="root of process 1"),
        pytest.param("-name '*answer*'", "(nothing)", id="search by name"),
        pytest.param("-type d -name private", "(nothing)", id="search by folder"),
        pytest.param("-path '*prepared*'", "(nothing)", id="search by path"),
        pytest.param("ln -sfn /private", "No such file", id="link to the answers"),
        pytest.param("cat /proc/1/environ", "PWD=/", id="environment of process 1"),
        pytest.param("import competitions.grade", "ModuleNotFoundError", id="our grader"),
        pytest.param("import mlebench", "ModuleNotFoundError", id="MLE-bench's grader"),
        pytest.param("-name 'grade*.py'", "(nothing)", id="search for a grader"),
        pytest.param("load_breast_cancer", "Error", id="data of scikit-learn"),
        pytest.param("modechoice.load", "Error", id="data of statsmodels"),
        pytest.param("-path '*datasets*'", "(nothing)", id="search for data sets"),
        pytest.param("create_connection(('1.1.1.1'", "OSError", id="network"),
        pytest.param("create_connection(('127.0.0.1', 22)", "ConnectionRefused", id="loopback"),
        pytest.param("curl", "connect", id="cloud metadata"),
        pytest.param("/etc/shadow", "No such file", id="password file"),
        pytest.param("docker.sock", "No such file", id="container engine"),
    ],
)
def test_each_way_is_tried_and_leads_nowhere(peeked, tried, answer):
    log = (peeked.path / "logs" / "agent.log").read_text()
    answers = said_to(log, tried)
    assert answers, f"the log shows no try of {tried}"
    assert all(answer in said for said in answers), answers


def test_no_connection_was_made(peeked):
    assert "connected to" not in peeked.log


def test_code_and_logs_are_there_for_the_audit(peeked):
    assert Attempt(peeked.path).missing == ()
    assert peeked.record.code_sha256
