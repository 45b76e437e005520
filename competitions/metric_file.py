"""Metrics that are a Python file beside a definition, in the form of Kaggle's metric notebooks.

``score(solution, submission, row_id_column_name) -> float`` runs in a process of its own, with
limits on memory, time and files and, where bubblewrap works, without network and with the file
system read-only. It sees the answers, and what it returns is the score: its author is trusted with
both, and with nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from competitions import metric_child
from competitions.errors import InvalidDefinitionError, InvalidSubmissionError
from competitions.metrics import Context, Metric, metric_named

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition

USAGE = "Usage"  # Kaggle's column of the solution: Public or Private; no metric sees it
_MAX_RESULT, _MAX_SAID = 1 << 20, 4000


class MetricFileError(Exception):
    """A metric of a stranger's failed: the grader's fault, never the submission's."""


@dataclass(frozen=True)
class Limits:
    """What a metric's process may use.

    Parameters
    ----------
    seconds : int
        Of wall-clock and of CPU time.
    memory : int, bytes
        Of address space, which is more than what is really used.
    """

    seconds: int = 600
    memory: int = 8 << 30


def path_of(spec: Competition) -> Path | None:
    """Return the file that a task's metric is, or None where it is one of ours.

    Raises
    ------
    InvalidDefinitionError
        When a task of the catalog names one, or it is not there.
    """
    if spec.metric.file is None:
        return None
    beside = spec.origin or Path(f"{spec.id}.yaml")
    path = beside.parent / spec.metric.file
    if spec.origin is None or not path.is_file():
        said = f"metric.file: expected {spec.metric.file} beside the definition, found none"
        raise InvalidDefinitionError(beside, [said])
    return path


def metric_for(spec: Competition, limits: Limits | None = None) -> Metric:
    """Return a task's metric: one of ours by its name, or the file that it names.

    Notes
    -----
    The best score of a file is not known: its `best` is NaN.

    Raises
    ------
    UnknownNameError
        When no metric has this name.
    InvalidDefinitionError
        When its file is not there.
    """
    path = path_of(spec)
    if path is None:
        return metric_named(spec.metric.name)

    def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
        return run_file(path, answers, submission, context, limits or Limits())

    return Metric(spec.metric.name, spec.metric.direction, float("nan"), score)


def run_file(
    path: Path,
    answers: pd.DataFrame,
    submission: pd.DataFrame,
    context: Context,
    limits: Limits,
) -> float:
    """Score by a Python file in a process of its own.

    Raises
    ------
    InvalidSubmissionError
        When the file raises a ``ParticipantVisibleError``, in its words.
    MetricFileError
        When it fails in any other way, takes too long, or returns no number.
    """
    (key,) = context.key
    solution = answers
    if USAGE in answers.columns and USAGE not in context.targets:
        solution = answers.drop(columns=USAGE)
    with tempfile.TemporaryDirectory(prefix="metric-") as name:
        folder = Path(name)
        solution.to_pickle(folder / "solution.pickle")
        submission[[*context.key, *context.targets]].to_pickle(folder / "submission.pickle")
        words = [
            *_confined(folder),
            *(sys.executable, "-I", metric_child.__file__, str(folder), str(path.resolve())),
            *(key, str(limits.memory), str(limits.seconds)),
        ]
        ended = _run(words, folder, limits.seconds)
        return _told(folder, path, ended)


def _run(words: list[str], folder: Path, seconds: int) -> str:
    """Run it in a session of its own and kill all of that at the end; say how it ended."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    with (folder / "stderr.txt").open("wb") as stderr:
        process = subprocess.Popen(  # noqa: S603 - the metric is what the task names
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            cwd=folder,
            env={"PATH": os.defpath, "HOME": str(folder), "TMPDIR": str(folder)} | one_thread,
            start_new_session=True,
        )
        try:
            return f"it ended with {process.wait(seconds)}"
        except subprocess.TimeoutExpired:
            return f"it took more than {seconds} s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _told(folder: Path, path: Path, ended: str) -> float:
    """Read what the process left; it may be anything."""
    try:
        told = json.loads(_left(folder / "result.json", _MAX_RESULT))
        if "invalid" in told:
            raise InvalidSubmissionError([str(told["invalid"])[:_MAX_SAID]])
        if "error" in told:
            raise MetricFileError(f"{path.name} failed:\n{told['error']}")
        return float(told["score"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        said = ""
        with contextlib.suppress(OSError, ValueError):
            said = _left(folder / "stderr.txt", _MAX_SAID).decode(errors="replace").strip()
        raise MetricFileError(f"{path.name} left no score: {ended}. {said}".strip()) from error


def _left(path: Path, limit: int) -> bytes:
    """Read the beginning of a plain file; a pipe in its place would never end.

    Raises
    ------
    OSError, ValueError
        When there is none, or a link or anything else lies there.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{path.name} is no plain file")
        return stream.read(limit)


def _confined(folder: Path) -> list[str]:
    """Return what takes the network and all writing elsewhere from a command, where it works."""
    words = [
        *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        *("--bind", str(folder), str(folder), "--chdir", str(folder)),
        *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--"),
    ]
    return words if _bubblewrap_works() else []


@cache
def _bubblewrap_works() -> bool:
    if shutil.which("bwrap") is None:
        return False
    words = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    words += ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--", "true"]
    done = subprocess.run(words, check=False, capture_output=True)  # noqa: S603 - our own words
    return done.returncode == 0
