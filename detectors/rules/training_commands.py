"""Training programs that commands or configurations give files of answers as their labels."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING

from detectors.calls import calls
from detectors.parsing import lines_of, parse_leniently
from detectors.rules.answer_files import trained_in_shell
from detectors.rules.other_tools import LANGUAGES
from detectors.rules.other_training import OtherTaught, trained_on
from detectors.rules.run_by_python import shell_of
from detectors.shell import pipelines
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.units import CodeUnit

    _Is = Callable[[str], bool]

MAX_LINES = 5_000  # of a configuration
_RUNS = re.compile(r"(?:^|\.)(?:system|popen|run|call|check_call|check_output|Popen|getoutput)$")
_TRAINERS = re.compile(
    r"[\"'](?:[^\s\"']*/)?(?:vw|fasttext|svm-train|xgboost|lightgbm|catboost|mallet)\b"
)
MIN_PROGRAM = 40  # characters of a text that may be one
_OTHER = re.compile(r"\bRscript\b|\brpy2\b|\brobjects\b|\.R[\"']|\bjulia(?:call)?\b|%%R\b", re.I)
_TRAINS = re.compile(
    r"(?:^|[/_.-])(?:auto|pre|re)?(?:train|fit|finetun|fine_tun|sft|learn)\w*", re.I
)
_ASKS = re.compile(
    r"eval|valid|test|score|compare|grade|predict|check|metric|holdout", re.IGNORECASE
)
_CALLS = re.compile(r"\b\w*(?:train|fit|learn|boost)\w*\s*\(|Trainer", re.IGNORECASE)
_TAKES = re.compile(r"\bsys\.argv\b|\bargparse\b|\bclick\b|\btyper\b|\bfire\b|\babsl\b")
_FILES = (".py", ".sh")


def trained_by_commands(
    attempt: Attempt, is_answers: _Is, copies: frozenset[str]
) -> Iterator[tuple[str, OtherTaught]]:
    """Yield what commands of the logs train on answers, with the log.

    Parameters
    ----------
    is_answers : callable of str to bool
        Whether a path is of answers.
    copies : frozenset of str
        Names of copies of answers.
    """
    trainers = _trainers(attempt)
    for raw in events(attempt.logs):
        if raw.kind is EventKind.WRITE:
            found = trained_on(raw.target, raw.text, is_answers)
            if found:
                yield raw.where, _at(found, raw.first_line)
        for text in (event.text for event in shell_of(raw)):
            given = (_is_given(w, is_answers, trainers) for w in _commands(text))
            if trained_in_shell(text, copies) or any(given):
                yield raw.where, OtherTaught(text, raw.first_line, text, raw.first_line)
            for name, code in _programs(text):
                found = trained_on(name, code, is_answers)
                if found:
                    yield raw.where, _at(found, raw.first_line)


def taught_in_script(unit: CodeUnit, is_answers: _Is) -> Iterator[OtherTaught]:
    """Yield what code of other languages trains on that a script of the shell runs or writes."""
    for name, code in _programs(unit.text):
        found = trained_on(name, code, is_answers)
        if found:
            yield _at(found, unit.first_line)


def _trainers(attempt: Attempt) -> frozenset[str]:
    """Return the names of the attempt's programs that train and take files as arguments."""
    return frozenset(
        file.name.rpartition("/")[2]
        for file in attempt.code
        if _TAKES.search(file.text) and re.search(r"\.fit\(|\btrain\w*\(|backward\(", file.text)
    )


def _at(found: OtherTaught, first: int) -> OtherTaught:
    return found._replace(
        source_line=found.source_line + first - 1, call_line=found.call_line + first - 1
    )


def _commands(text: str) -> Iterator[tuple[str, ...]]:
    for pipeline in pipelines(text):
        yield from pipeline.commands


def _is_given(words: tuple[str, ...], is_answers: _Is, trainers: frozenset[str]) -> bool:
    """Say whether a program that trains is given answers by an option that is not for scoring."""
    program = next((w for w in words[1:3] if w.endswith(_FILES)), words[0])
    is_training = (
        _TRAINS.search(program)
        or program.rpartition("/")[2] in trainers
        or any(_TRAINS.search(w) for w in words[1:3] if "=" not in w)
    )
    if not is_training or _ASKS.search(program.rpartition("/")[2]):
        return False
    option = ""
    for word in words[1:]:
        name, sign, value = word.partition("=")
        option = name if word.startswith("-") else option
        given = value if sign else word
        if not word.startswith("-") or sign:
            if is_answers(given) and not _ASKS.search(option if not sign else name):
                return True
            option = "" if not sign else option
    return False


def _programs(text: str) -> Iterator[tuple[str, str]]:
    """Yield code of other languages that a command runs or writes, as (file name, code)."""
    for pipeline in pipelines(text):
        first, last = pipeline.commands[0], pipeline.commands[-1]
        head = first[0].rpartition("/")[2]
        if head in LANGUAGES:
            given = next((first[n + 1] for n, w in enumerate(first[:-1]) if w in {"-e", "-E"}), "")
            yield f"a.{LANGUAGES[head]}", given or pipeline.heredoc
        elif pipeline.heredoc and ">" in last[:-1]:
            yield last[last.index(">") + 1], pipeline.heredoc


def trained_in_texts(
    units: Iterable[CodeUnit], is_answers: _Is
) -> Iterator[tuple[str, OtherTaught]]:
    """Yield what R or Julia that stands as a text in Python trains on answers.

    Only in programs that run such code: by ``Rscript``, ``julia``, or a library for it.
    """
    for unit in units:
        found = _OTHER.search(unit.text) if unit.language == "python" else None
        if "<-" in unit.text and "#cell" in unit.path and not _is_python(unit.text):
            taught = trained_on("a.R", unit.text, is_answers)  # what stood below its magic
            if taught is not None:
                yield unit.path, _at(taught, unit.first_line)
        if found is None:
            continue
        suffix = "jl" if found[0].lower().startswith("julia") else "R"
        nodes = (n for s in parse_leniently(unit.text, unit.path).body for n in ast.walk(s))
        for node in nodes:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            text = node.value
            if len(text) < MIN_PROGRAM or "(" not in text:
                continue
            parts = text if "\n" in text else text.replace("; ", "\n")
            taught = trained_on(f"a.{suffix}", parts, is_answers)
            if taught is not None:
                is_same = parts is text
                first = unit.first_line + node.lineno - 1
                yield (
                    unit.path,
                    _at(taught, first)
                    if is_same
                    else taught._replace(source_line=first, call_line=first),
                )


def may_train_by_shell(text: str) -> bool:
    """Say whether Python may run a program that trains: whether it names one."""
    return _TRAINERS.search(text) is not None


def trained_by_calls(units: Sequence[CodeUnit], copies: frozenset[str]) -> Iterator[OtherTaught]:
    """Yield the commands by which Python lets a program train on copies of answers."""
    for _, call in calls(units):
        if not _RUNS.search(call.name) or not call.strings:
            continue
        text = call.strings[0] if " " in call.strings[0] else shlex.join(call.strings)
        if trained_in_shell(text, copies):
            yield OtherTaught(text, call.first_line, text, call.first_line)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def trained_by_settings(
    settings: Iterable[TextFile], code: str, is_answers: _Is
) -> Iterator[tuple[str, OtherTaught]]:
    """Yield configurations that name answers among what is trained on, where code reads them."""
    for file in settings:
        if file.name.rpartition("/")[2] not in code or not _CALLS.search(code):
            continue
        key, key_line = "", 0
        for number, line in enumerate(lines_of(file.text)[:MAX_LINES], start=1):
            named = re.match(r"^[\s{,-]*[\"']?([A-Za-z_][\w.-]*)[\"']?\s*[:=]", line)
            key, key_line = (named[1], number) if named else (key, key_line)
            is_of_training = re.search(r"train|fit|extra|label|learn", key, re.IGNORECASE)
            texts = re.findall(r"[\"']?([\w./~$-]+\.\w+)[\"']?", line)
            if is_of_training and not _ASKS.search(key) and any(map(is_answers, texts)):
                yield file.name, OtherTaught(line.strip(), number, line.strip(), key_line or number)
