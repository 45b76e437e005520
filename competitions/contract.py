"""What holds for every task: checks that the tests make of the catalog and `validate` of others.

Each function returns sentences, one per problem, and none where all is well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.describe import describe
from competitions.grade import grade
from competitions.hooks import Hooks, hooks_of
from competitions.io import sha256_file, walk_files
from competitions.medals import load_board
from competitions.metric_file import metric_for
from competitions.metrics import METRICS
from competitions.prepared import load_prepared
from competitions.splits import SPLITS
from competitions.standard import STANDARD, standard_submissions
from competitions.submission import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from competitions.grade import Grade
    from competitions.prepared import Prepared
    from competitions.spec import Competition, Expected

OTHER_METHODS = frozenset({"whole_test", "custom"})  # of splitting, beside the recipes


def naming_problems(spec: Competition) -> list[str]:
    """Say which names in a definition lead nowhere, or contradict one another.

    Raises
    ------
    UnknownNameError
        When no hook has the name that it gives.
    InvalidDefinitionError
        When the metric's file is not there.
    """
    method, problems = spec.split.method, []
    hooks = hooks_of(spec) or Hooks()
    is_custom = hooks.split is not None or hooks.build is not None
    if method not in SPLITS and method not in OTHER_METHODS:
        known = ", ".join(sorted({*SPLITS, *OTHER_METHODS}))
        problems.append(f"split.method: expected one of {known}; found {method!r}")
    if (method == "custom") != is_custom:
        problems.append("split.method: `custom` and a hook that splits belong together")
    if (method == "whole_test") != (spec.split.test_on is not None):
        problems.append("split: `method: whole_test` and `test_on` belong together")
    raw = [f.path for f in spec.raw]
    problems += [
        f"split.{name}: expected a raw file of {', '.join(raw)}; found {value!r}"
        for name, value in (("on", spec.split.on), ("test_on", spec.split.test_on))
        if value is not None and value not in raw
    ]
    if spec.metric.file is not None:
        metric_for(spec)
        if len(spec.submission.key) != 1:
            problems.append("submission.key: a metric's file takes exactly one column")
    elif spec.metric.name not in METRICS:
        problems.append(f"metric.name: no metric is called {spec.metric.name!r}")
    elif (own := METRICS[spec.metric.name].direction) != spec.metric.direction:
        problems.append(f"metric.direction: {spec.metric.name} is better when {own}")
    return problems


def expect_problems(spec: Competition) -> list[str]:
    """Say where `expect:` lacks a variant or a submission, or has one too many."""
    variants = {"v1", "fixed"} if spec.has_fixed else {"v1"}
    problems = []
    if set(spec.expect) != variants:
        found = ", ".join(spec.expect) or "none"
        problems.append(f"expect: expected {', '.join(sorted(variants))}; found {found}")
    for variant, expected in spec.expect.items():
        odd = sorted(set(expected) ^ set(STANDARD))
        if odd:
            problems.append(f"expect.{variant}: missing or not known: {', '.join(odd)}")
    return problems


def board_problems(spec: Competition) -> list[str]:
    """Say whether the board stands best first.

    Raises
    ------
    DigestMismatchError
        When it is not the pinned one.
    UnreadableFileError
        When it is missing or no board.
    """
    scores = list(load_board(spec).scores)
    if scores == sorted(scores, reverse=not spec.metric.is_lower_better):
        return []
    return [f"board: expected the best score first, metric.direction is {spec.metric.direction}"]


def description_problems(spec: Competition) -> list[str]:
    """Say what of the task its generated description does not name."""
    text = describe(spec)
    paths = [f.to.replace("{", "<").replace("}", ">") for f in spec.files]
    said = [spec.title, spec.metric.definition.strip(), *(f.path for f in spec.public), *paths]
    said += [f"`{column}`" for column in (*spec.columns, *spec.submission.key, *spec.targets)]
    problems = [f"description: {words} does not stand in it" for words in said if words not in text]
    for words, wanted in (
        ("belong together", bool(spec.entities)),
        ("is later than every row", spec.split.method == "time_tail"),
    ):
        if (words in text) != wanted:
            problems.append(f"description: {words!r} stands there wrongly, or is missing")
    return problems


def secrecy_problems(prepared: Prepared) -> list[str]:
    """Say which target or private file the public part holds."""
    spec, problems = prepared.spec, []
    if spec.file_of("test") == spec.keys_in:
        shown = set(spec.targets) & set(read_table(prepared.public / spec.keys_in).columns)
        problems += [f"public/{spec.keys_in} holds the target {name}" for name in sorted(shown)]
    private = {sha256_file(p): p for p in walk_files(prepared.private)}
    for path in walk_files(prepared.public):
        secret = private.get(sha256_file(path))
        if secret is not None:
            problems.append(f"public/{path.name} is private/{secret.name}, byte for byte")
    return problems


def standard_grades(spec: Competition, data_dir: Path, scratch: Path) -> dict[str, Grade]:
    """Grade the seven standard submissions of a prepared task; they are written into `scratch`."""
    grades = {}
    for name, frame in standard_submissions(load_prepared(spec, data_dir)).items():
        frame.to_csv(scratch / f"{name}.csv", index=False)
        grades[name] = grade(spec, scratch / f"{name}.csv", data_dir)
    return grades


def score_problems(spec: Competition, grades: Mapping[str, Grade]) -> list[str]:
    """Say which standard submission does not score what `expect:` says, or crashed the grader."""
    problems = []
    for name, found in grades.items():
        if found.outcome == "grader_error":
            problems.append(f"{name}: {why_without(found)}")
            continue
        expected = spec.expect.get(spec.variant, {}).get(name)
        if expected is None and name == "perfect" and found.score is None:
            problems.append(f"perfect: the answers themselves get no score: {why_without(found)}")
        if expected is not None and not _is_as_expected(expected, name, grades, spec):
            why = f" ({'; '.join(found.problems)})" if found.problems else ""
            shown = found.outcome if found.score is None else found.score
            problems.append(f"{name}: expected {expected}, found {shown}{why}")
    return problems


def why_without(found: Grade) -> str:
    """Say why a submission has no score: its problems, or the last line of the metric's failure."""
    if found.error:
        return f"the metric failed: {found.error.strip().rpartition(chr(10))[2]}"
    return "; ".join(found.problems) or found.outcome


def _is_as_expected(
    expected: Expected, name: str, grades: Mapping[str, Grade], spec: Competition
) -> bool:
    found = grades[name]
    match expected:
        case "none":
            return found.outcome == "invalid" and bool(found.problems)
        case "best":
            return found.score == metric_for(spec).best
        case "same-as-perfect":
            return found.score == grades["perfect"].score
        case "graded" | "nan" | "infinite":
            return found.outcome == expected
        case _:
            return found.score == expected


def proposed(spec: Competition, grades: Mapping[str, Grade]) -> dict[str, Expected]:
    """Say what `expect:` would be by the grades that were found; a person has to agree."""
    told: dict[str, Expected] = {}
    perfect = grades["perfect"].score
    for name, found in grades.items():
        if found.outcome in {"nan", "infinite"}:
            told[name] = "nan" if found.outcome == "nan" else "infinite"
        elif found.score is None:
            told[name] = "none"
        elif name == "perfect" and found.score == metric_for(spec).best:
            told[name] = "best"
        elif name == "shuffled-perfect" and found.score == perfect:
            told[name] = "same-as-perfect"
        else:
            told[name] = "graded" if name == "random" else found.score
    return told
