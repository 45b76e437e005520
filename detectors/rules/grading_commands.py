"""Which commands run a grader: to print, read about or search for it is not to run it."""

from __future__ import annotations

import itertools
import re

from detectors.other_tokens import INTERPRETERS, code_given
from detectors.rules.grader_requests import asks_grader, grading_requests
from detectors.shell import pipelines
from detectors.units import CodeUnit

_CLIENTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_PROGRAMS = frozenset({"mlebench", "mle-bench", "mle-audit", "biomlbench"})
_VERBS = frozenset({"grade", "grade-sample"})
_EVALUATES = re.compile(  # a benchmark's own modules and scripts that score
    r"^(?:MLAgentBench\.eval|(?:mlebench|biomlbench)\.grade\w*|mlgym\.\S*eval\w*|"
    r"dojo\.\S*(?:eval|grade)\w*|"
    r"mledojo\.\S*(?:eval|metric)\w*|rdagent\.\S+\.(?:grade|eval)\w*)$"
)
_ITS_SCRIPT = re.compile(
    r"^/(?:(?:opt|srv|mnt|usr/local|root|var)/(?:\S*/)?)?(?:graders?|grading|evaluators?|"
    r"evaluation|eval|"
    r"scorers?|scoring|private|verifier|judge)/(?:\S*/)?(?:grad|eval|scor|judg|verif)\w*\.(?:py|"
    r"sh)$|"
    r"^/?(?:\S*/)?(?:MLAgentBench|mle-?_?bench|biomlbench|mlgym)/(?:\S*/)?(?:grad|eval|"
    r"scor)\w*\.(?:py|sh)$"
)
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
    return any(
        _grades(words) for pipeline in pipelines(text) for words in pipeline.commands if words
    )


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
    if _EVALUATES.match(module) or any(map(_ITS_SCRIPT.match, words[:2])):
        return True
    return any(
        w.rpartition("/")[2].removesuffix(".cli") in _PROGRAMS and verb in _VERBS
        for w, verb in itertools.pairwise(words)
    )
