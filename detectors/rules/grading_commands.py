"""Which commands run a grader: to print, read about or search for it is not to run it."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from detectors.other_tokens import INTERPRETERS, code_given
from detectors.rules.grader_requests import asks_grader, grading_requests, speaks_to_grader
from detectors.rules.judging_places import holds_judge, in_folders, is_judges_source
from detectors.shell import pipelines
from detectors.units import CodeUnit

if TYPE_CHECKING:
    from detectors.shell import Pipeline

_CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_PROGRAMS = frozenset({"mlebench", "mle-bench", "mle-audit", "biomlbench"})
_VERBS = frozenset({"grade", "grade-sample"})
_EVALUATES = re.compile(  # a benchmark's own modules and scripts that score
    r"^(?:MLAgentBench\.eval|(?:mlebench|biomlbench)\.grade\w*|mlgym\.\S*eval\w*|"
    r"dojo\.\S*(?:eval|grade)\w*|"
    r"mledojo\.\S*(?:eval|metric)\w*|rdagent\.\S+\.(?:grade|eval)\w*)$"
)
_HARNESS = re.compile(  # a program by which whoever runs the attempts is asked
    r"^(?:harness|scaffold|runner|grader|judge|scorer|evaluator|orchestrator|controller|"
    r"proctor|referee|verifier|mle-?gym|mle-?dojo|env|task|bench|competition|arena|eval)"
    r"[-_]?(?:ctl|cli|client|tool|api|cmd)$|"
    r"^(?:harness|scaffold|grader|scorer|autograder)$"
)
_ASKS_IT = re.compile(
    r"^(?:get[-_]|show[-_]|print[-_]|fetch[-_]|query[-_])?(?:(?:test|private|hidden|final|"
    r"current|official)[-_])?"
    r"(?:grade|grading|score|scores|thresholds?|medals?|leaderboard|rank|ranking|evaluate|judge|"
    r"result)"
    r"(?:[-_]\w+)?$"
)
_ITS_TOOL = re.compile(
    r"^(?:get|fetch|query|request|show)[-_](?:(?:test|private|hidden|final|official|my|"
    r"submission)[-_])?"
    r"(?:score|grade|thresholds?|medals?|leaderboard)$|^grade[-_](?:submission|sample|csv|"
    r"attempt)$|"
    r"^(?:submit|send)[-_](?:for|to)[-_](?:grading|grader|scoring|evaluation)$"
)
_RUNNERS = frozenset(
    {*("bash", "sh", "zsh", "source", ".", "env", "sudo", "exec", "Rscript", "node", "uv"),
     *("poetry", "pypy", "ipython", "timeout", "nice", "nohup")}
)  # fmt: skip
_PYTHON = re.compile(r"^(?:\S*/)?i?python[\d.]*$")
_SPEAKS = frozenset({"echo", "printf", "cat", "grep", "rg", "man", "which", "type", "less", "head"})


def grades_in_shell(text: str) -> bool:
    """Say whether shell text runs a grader; to print, read about or search for it is not to run it.

    Examples
    --------
    >>> grades_in_shell("mlebench grade-sample s.csv spaceship-titanic")
    True
    >>> grades_in_shell("echo mlebench grade-sample; mle-audit validate s.csv x")
    False
    """
    every = list(pipelines(text))
    if any(_beside_judge(one) or speaks_to_grader(one.commands) for one in every):
        return True
    return any(_grades(words) for words, _ in in_folders(every) if words)


def _beside_judge(pipeline: Pipeline) -> bool:
    """Say whether Python is run with its modules looked for in a folder of whoever judges."""
    is_given = any(
        name == "PYTHONPATH" and any(map(holds_judge, value.split(":")))
        for name, value in pipeline.given
    )
    return is_given and any(_PYTHON.match(words[0]) for words in pipeline.commands)


def _grades(words: tuple[str, ...]) -> bool:
    name = words[0].rpartition("/")[2]
    if name in _SPEAKS or {"--help", "-h"} & set(words):
        return False
    if name in {"bash", "sh"} and "-c" in words[:-1]:
        return grades_in_shell(words[words.index("-c") + 1])
    if name in INTERPRETERS:
        unit = CodeUnit(f"x.{INTERPRETERS[name]}", 1, "other", code_given(words, ""), "x")
        return next(grading_requests([unit]), None) is not None
    asks = name in _CLIENTS and asks_grader(" ".join(words))
    submits = name == "kaggle" and words[2:3] == ("submit",)
    return asks or submits or _runs_its_own(words) or name == "grade-sample"


def _runs_its_own(words: tuple[str, ...]) -> bool:
    """Say whether a program, module or script of the benchmark is run that scores."""
    module = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    given = next((n for n, w in enumerate(words[1:], 1) if not w.startswith("-")), 0)
    ran = words[given] if words[0].rpartition("/")[2] in _RUNNERS or _PYTHON.match(words[0]) else ""
    if _EVALUATES.match(module) or any(map(is_judges_source, (words[0], ran))):
        return True
    name = words[0].rpartition("/")[2]
    if _ITS_TOOL.match(name) or (_HARNESS.match(name) and any(map(_ASKS_IT.match, words[1:3]))):
        return True
    return any(
        w.rpartition("/")[2].removesuffix(".cli") in _PROGRAMS and verb in _VERBS
        for w, verb in itertools.pairwise(words)
    )
