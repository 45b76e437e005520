"""A metric that is a stranger's file: what it returns, raises, or does wrong."""

from __future__ import annotations

import math
import textwrap

import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import InvalidSubmissionError
from competitions.metric_file import Limits, MetricFileError, _bubblewrap_works, run_file
from competitions.metrics import Context
from tests.competitions.kaggle_folders import SQUARES

ANSWERS = pd.DataFrame({"id": [1, 2], "y": [0.1 + 0.2, 1.0], "Usage": ["Public", "Private"]})
CONTEXT = Context(("y",), key=("id",))


@pytest.fixture
def run(tmp_path):
    def scored(text: str, values=(0.0, 1.0), limits: Limits | None = None) -> float:
        path = tmp_path / "metric.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        submission = pd.DataFrame({"id": [1, 2], "y": values, "more": "x"})
        limits = limits or Limits(seconds=60)
        return run_file(path, ANSWERS, submission, CONTEXT, limits)

    return scored


def body(*lines: str) -> str:
    head = "def score(solution, submission, row_id_column_name):\n"
    return head + "".join(f"    {line}\n" for line in lines)


def test_it_is_given_key_and_targets_and_no_usage_and_its_number_comes_back_exactly(run):
    assert run(SQUARES) == (0.1 + 0.2) ** 2 / 2
    assert run(body("return len(solution.columns) * 10 + len(submission.columns)")) == 22


@pytest.mark.parametrize("word", ["nan", "inf"])
def test_a_score_that_is_no_number_is_passed_on(run, word):
    assert math.isnan(run(body(f"return float('{word}') * 0")))


def test_what_it_says_to_participants_makes_the_submission_invalid(run):
    with pytest.raises(InvalidSubmissionError) as caught:
        run(SQUARES, (-1.0, 1.0))

    assert caught.value.problems == ("a prediction is below zero",)


def test_a_subclass_of_the_participants_error_counts_as_one(run):
    text = (
        "class ParticipantVisibleError(Exception): pass\n"
        "class Worse(ParticipantVisibleError): pass\n" + body("raise Worse('so bad')")
    )
    with pytest.raises(InvalidSubmissionError, match="so bad"):
        run(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(body("return 1 / 0"), "ZeroDivisionError", id="raises"),
        pytest.param(body("raise ValueError('it is')"), 'line 2, in score', id="says-where"),
        pytest.param("import no_such_module\n", "No module named", id="import"),
        pytest.param("def score(:\n", "SyntaxError", id="syntax"),
        pytest.param("x = 1\n", "no attribute 'score'", id="no-score"),
        pytest.param(body("return 'high'"), "could not convert", id="words"),
        pytest.param(body("return None"), "TypeError", id="nothing"),
        pytest.param(body("import os", "os._exit(0)"), "it ended with 0", id="leaves-at-once"),
        pytest.param(body("import sys", "sys.exit(3)"), "it ended with 3", id="exits"),
        pytest.param(
            body("import os", "os.kill(os.getpid(), 11)"), "left no score", id="dies"
        ),
        pytest.param(
            body("import os", "open('result.json', 'w').write('[1')", "os._exit(0)"),
            "left no score",
            id="broken-result",
        ),
        pytest.param(
            body("import os", "os.symlink('/etc/passwd', 'result.json')", "os._exit(0)"),
            "left no score",
            id="result-is-a-link",
        ),
        *(
            pytest.param(
                body("import os", f"os.path.exists({n!r}) and os.unlink({n!r})", make,
                     "os._exit(0)"),
                "left no score: it ended with 0.$",
                id=f"{n}-is-{what}",
            )
            for n in ("result.json", "stderr.txt")
            for what, make in (
                ("a-pipe", f"os.mkfifo({n!r})"),
                ("a-folder", f"os.mkdir({n!r})"),
                ("a-loop", f"os.symlink({n!r}, {n!r})"),
                ("a-device", f"os.symlink('/dev/zero', {n!r})"),
                ("gone", "pass"),
            )
        ),
        pytest.param(
            body("import os", "open('result.json', 'w').write('[' * 90_000)", "os._exit(0)"),
            "left no score",
            id="result-nested-deeply",
        ),
        pytest.param(body("return len(bytearray(4 << 30))"), "MemoryError", id="memory"),
        pytest.param(
            body("open('big', 'wb').write(b'0' * (80 << 20))"), "metric.py", id="too-much-written"
        ),
    ],
)  # fmt: skip
def test_whatever_else_goes_wrong_is_the_metrics_fault(run, text, said):
    with pytest.raises(MetricFileError, match=said):
        run(text, limits=Limits(seconds=60, memory=3 << 30))


def test_one_that_does_not_end_is_killed(run):
    with pytest.raises(MetricFileError, match="took more than"):
        run(body("import time", "time.sleep(600)"), limits=Limits(seconds=1))


def test_it_does_not_import_from_the_folder_it_is_called_in(run, tmp_path, monkeypatch):
    (tmp_path / "beside.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(MetricFileError, match="No module named 'beside'"):
        run("import beside\n")


@pytest.mark.sandbox
@pytest.mark.skipif(not _bubblewrap_works(), reason="bubblewrap does not work")
def test_with_bubblewrap_it_writes_nowhere_else_and_has_no_network(run, tmp_path):
    target = tmp_path / "seen"
    with pytest.raises(MetricFileError, match="Read-only file system"):
        run(body(f"open({str(target)!r}, 'w').write('x')"))
    assert not target.exists()

    interfaces = body(
        "import socket", "return [name for _, name in socket.if_nameindex()] == ['lo']"
    )
    assert run(interfaces) == 1.0
