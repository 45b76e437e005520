"""Runs in an environment of MLE-bench's own: its `prepare` and its graders, called directly.

Reads one job as JSON from standard input and prints one JSON answer. It imports nothing of ours.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any


def _called_with(function: Any, forced: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **(kwargs | forced))


def _nothing(*_: Any, **__: Any) -> None:
    pass


def _replace_constant(module: Any, name: str, value: Any) -> None:
    """Put another number in the place of one that stands in the body of a function."""
    function, _, number = name.partition("=")
    code = getattr(module, function).__code__
    constants = tuple(value if repr(c) == number else c for c in code.co_consts)
    if constants == code.co_consts and str(value) != number:
        raise ValueError(f"{name}: no such constant")
    getattr(module, function).__code__ = code.replace(co_consts=constants)


def prepared(job: dict[str, Any]) -> str | None:
    """Prepare; return the error, or None."""
    module = importlib.import_module(f"mlebench.competitions.{job['id']}.prepare")
    for name, value in job["patch"].items():
        if "=" in name:
            _replace_constant(module, name, value)
            continue
        if value == "skip":
            setattr(module, name, _nothing)
            continue
        function, _, argument = name.rpartition(".")
        if function:
            own = getattr(module, function)
            value = functools.partial(_called_with, own, {argument: value})  # noqa: PLW2901
        setattr(module, function or name, value)
    public, private = Path(job["public"]), Path(job["private"])
    for folder in (public, private):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        module.prepare(Path(job["raw"]), public, private)
    except Exception:  # noqa: BLE001 - whatever it raises is its answer
        return traceback.format_exc()
    return None


def scores(job: dict[str, Any]) -> dict[str, Any]:
    """Grade every submission; None is MLE-bench's None, a text is an error outside its grader."""
    import yaml
    from mlebench.grade_helpers import Grader
    from mlebench.utils import load_answers, read_csv

    folder = Path(sys.modules[f"mlebench.competitions.{job['id']}.prepare"].__file__ or "").parent
    config = yaml.safe_load((folder / "config.yaml").read_text())
    grader = Grader.from_dict(config["grader"])
    answers = Path(job["private"]) / Path(config["dataset"]["answers"]).name
    relative = config["dataset"]["answers"].split("/private/", 1)
    if len(relative) == 2:
        answers = Path(job["private"]) / relative[1]
    found: dict[str, Any] = {}
    for name, path in job["submissions"].items():
        try:
            score = grader(read_csv(path), load_answers(answers))
        except Exception as error:  # noqa: BLE001 - as above
            score = f"{type(error).__name__}: {error}"
        found[name] = score if score is None or isinstance(score, str) else repr(float(score))
    return found


def main() -> None:
    """Answer one job."""
    warnings.simplefilter("ignore")
    job = json.load(sys.stdin)
    sys.path.insert(0, job["mlebench"])
    noise = io.StringIO()
    with contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise):
        error = prepared(job)
        answer = {"error": error, "scores": scores(job) if error is None else {}}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
