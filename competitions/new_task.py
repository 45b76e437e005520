"""Scaffold a task from a folder in Kaggle's form: a definition, its metric and a first board."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from competitions import contract
from competitions.errors import RefusedError, UsageError
from competitions.io import sha256_file, write_text
from competitions.kaggle_folder import Kaggle, check_metric_file, read_kaggle
from competitions.metric_file import USAGE
from competitions.metrics import metric_named
from competitions.outside import BOARD, ID, named
from competitions.prepare import prepare
from competitions.spec import catalog_ids

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from competitions.grade import Grade

Direction = Literal["higher", "lower"]
_RIVALS = {"sample": "the sample submission", "random": "values drawn at random"}
_METRIC = "metric.py"
_WITH_ARGUMENTS = (
    "A metric that takes arguments is named later: begin with another one, then write its name and "
    "arguments: {…} into the YAML, as definitions in competitions/catalog/ do."
)
_MAX_ID = 100  # characters: files and folders are named by it


@dataclass(frozen=True)
class Guess:
    """One thing that was read off the files; `look` where a person has to agree."""

    what: str
    guess: str
    look: bool = False


@dataclass(frozen=True)
class _Chosen:
    """A metric: one of ours, or a file."""

    name: str
    direction: Direction
    definition: str
    file: Path | None = None


@dataclass(frozen=True)
class _Draft:
    """All that a definition is written from; `folder` as it is seen from the definition."""

    task_id: str
    kaggle: Kaggle
    chosen: _Chosen
    folder: str


def new_task(
    folder: Path, task_id: str, metric: str, output: Path, direction: str | None = None
) -> list[Guess]:
    """Write ``<output>/<id>.yaml`` with ``board.csv`` and, where it is a file, ``metric.py``.

    Parameters
    ----------
    folder : Path
        Holds `competitions.kaggle_folder.FILES`; the definition refers to it.
    metric : str
        A name of `competitions.metrics.METRICS`, or a Python file.
    direction : str or None
        ``higher`` or ``lower``; a file needs it.

    Returns
    -------
    list of Guess
        What was read off the files, for a person to look at.

    Raises
    ------
    RefusedError
        When something lies at `output`.
    RawDataError
        When the folder is not in Kaggle's form; with every problem.
    UsageError
        When the folder, the id, the metric or the direction is none, or when the metric scores
        neither the sample submission nor values drawn at random.
    """
    _require_new_id(task_id)
    if not folder.is_dir():
        raise UsageError(f"Expected a folder of raw files at {folder}, found none.")
    if output.is_symlink() or (output.exists() and (output.is_file() or any(output.iterdir()))):
        raise RefusedError(f"{output} exists and is not overwritten.", "Name another one with -o.")
    chosen = _chosen(metric, direction)
    kaggle = read_kaggle(folder, chosen.name)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent, prefix=".new-task-") as name:
        built = Path(name) / "task"
        built.mkdir()
        seen_from_there = os.path.relpath(folder.resolve(), output.resolve())
        draft = _Draft(task_id, kaggle, chosen, seen_from_there)
        grades = _try(draft, built)
        _write(draft, built, _scores(grades, chosen))
        if output.is_dir():
            output.rmdir()
        built.rename(output)
    return _guesses(kaggle, chosen, grades)


def _require_new_id(task_id: str) -> None:
    if not ID.fullmatch(task_id) or len(task_id) > _MAX_ID:
        raise UsageError(
            f"Expected an id of at most {_MAX_ID} letters, digits and hyphens; "
            f"found {task_id[:_MAX_ID]!r}."
        )
    if task_id in catalog_ids():
        raise UsageError(
            f"{task_id} is the id of a task that ships.", "Name another one with --id."
        )


def _chosen(metric: str, direction: str | None) -> _Chosen:
    asked = next((d for d in get_args(Direction) if d == direction), None)
    if direction is not None and asked is None:
        raise UsageError(f"Expected a direction of higher or lower; found {direction!r}.")
    path = Path(metric)
    if path.suffix != ".py":
        ours = metric_named(metric)
        if asked is not None and asked != ours.direction:
            raise UsageError(f"{metric} is better when {ours.direction}, not when {asked}.")
        first = (ours.score.__doc__ or "").strip().partition("\n")[0].removeprefix("Return ")
        first = first[:1].upper() + first[1:]
        return _Chosen(metric, ours.direction, first)
    if asked is None:
        raise UsageError(
            f"{path}: whether a higher or a lower score is better does not stand in it.",
            "Say it with --direction higher or --direction lower.",
        )
    said = check_metric_file(path) or f"The function score of {_METRIC}."
    return _Chosen(path.stem, asked, said, path)


def _try(draft: _Draft, built: Path) -> dict[str, Grade]:
    """Grade the standard submissions against a board of nothing; a fault shows here already."""
    _write(draft, built, [("nobody", 0.0)])
    spec = named(str(built / f"{draft.task_id}.yaml"))
    with tempfile.TemporaryDirectory(dir=built.parent, prefix="data-") as name:
        prepare(spec, Path(name), "local", draft.kaggle.folder)
        return contract.standard_grades(spec, Path(name), built.parent)


def _scores(grades: Mapping[str, Grade], chosen: _Chosen) -> list[tuple[str, float]]:
    rows = [(said, grades[name].score) for name, said in _RIVALS.items()]
    found = [(said, score) for said, score in rows if score is not None]
    if not found:
        why = [contract.why_without(grades[name]).rstrip(".") for name in _RIVALS]
        one, other = (f" ({said})" if why[0] != why[1] else "" for said in why)
        both = "." if one else f": {why[0]}."
        raise UsageError(
            f"{chosen.file or chosen.name} gives no score to the sample submission{one} nor to "
            f"values drawn at random{other}{both}",
            _WITH_ARGUMENTS if "KeyError" in why[0] and chosen.file is None else None,
        )
    return sorted(found, key=lambda row: row[1], reverse=chosen.direction == "higher")


def _write(draft: _Draft, built: Path, board: Sequence[tuple[str, float]]) -> None:
    lines = ["name,score", *(f"{name},{score!r}" for name, score in board)]
    write_text(built / BOARD, "\n".join(lines) + "\n")
    if draft.chosen.file is not None:
        shutil.copyfile(draft.chosen.file, built / _METRIC)
    text = _definition(draft, sha256_file(built / BOARD))
    write_text(built / f"{draft.task_id}.yaml", text)


def _quoted(value: object) -> str:
    """Write a value for YAML: JSON is YAML, and leaves no word to be taken for another."""
    return json.dumps(value, ensure_ascii=False)


def _row(**fields: object) -> str:
    said = (f"{name}: {_quoted(value)}" for name, value in fields.items() if value is not None)
    return f"{{{', '.join(said)}}}"


def _definition(draft: _Draft, board_sha256: str) -> str:
    return "\n".join([*_head(draft), *_files(draft.kaggle), *_rules(draft, board_sha256)]) + "\n"


def _head(draft: _Draft) -> list[str]:
    kaggle, task_id = draft.kaggle, draft.task_id
    predicted = ", ".join(kaggle.rules)
    return [
        "# Made by mle-audit new-task. Each `look:` is a guess for you to agree with or to mend.",
        f"id: {_quoted(task_id)}",
        f"title: {_quoted(task_id)}  # look: a name for people",
        "# look: say in a few sentences what the rows are and what is asked",
        f"summary: {_quoted(f'Predict {predicted} for each {kaggle.key} of the test part.')}",
        "source:",
        "  kind: local",
        f"  folder: {_quoted(draft.folder)}",
        '  url: "a folder of its author"  # look: where the data can be had',
        "  # licence: look: may the data be passed on?",
        "category: Tabular",
        f"modality: {'text' if 'text' in kaggle.kinds.values() else 'tabular'}  # look",
        "complexity: dev",
    ]


def _files(kaggle: Kaggle) -> list[str]:
    return [
        "raw:",
        *(f"  - {_row(path=name, columns=names)}" for name, names in kaggle.columns.items()),
        "# look: do rows of one person, place or day stand in both parts?",
        "split: {method: whole_test, on: train.csv, test_on: solution.csv}",
        "public:",
        "  - {path: train.csv, part: train, copy: train.csv}",
        "  - {path: test.csv, part: test, copy: test.csv}",
        "  - {path: sample_submission.csv, part: sample, copy: sample_submission.csv}",
        "private:",
        "  - {path: solution.csv, part: test}",
        "answers: solution.csv",
        "sample_submission:",
        "  path: sample_submission.csv",
        "  fill:",
        *(f"    {_quoted(name)}: {_quoted(value)}" for name, value in kaggle.fill.items()),
    ]


def _rules(draft: _Draft, board_sha256: str) -> list[str]:
    kaggle, chosen = draft.kaggle, draft.chosen
    return [
        "submission:",
        f"  key: [{_quoted(kaggle.key)}]  # look",
        "  columns:  # look: types and ranges are read off the answers and the sample",
        *(f"    {_quoted(name)}: {_rule_row(kaggle, name)}" for name in kaggle.rules),
        "metric:",
        f"  name: {_quoted(chosen.name)}",
        *([f"  file: {_METRIC}"] if chosen.file else []),
        f"  direction: {chosen.direction}",
        f"  definition: {_quoted(chosen.definition)}  # look: the formula",
        "# look: scores to compare with, best first, in board.csv; then write its new sha256 here",
        f"board: {{kind: baselines, sha256: {board_sha256}}}",
        "columns:  # look: say what each column means",
        *(f"  {_quoted(name)}: {kind}" for name, kind in kaggle.kinds.items()),
        "# expect: what seven submissions score; mle-audit validate proposes it",
    ]


def _rule_row(kaggle: Kaggle, name: str) -> str:
    rule = kaggle.rules[name]
    return _row(
        type=rule.type,
        low=rule.low,
        high=rule.high,
        labels=list(rule.labels) or None,
        may_be_empty=rule.may_be_empty or None,
    )


def _guesses(kaggle: Kaggle, chosen: _Chosen, grades: Mapping[str, Grade]) -> list[Guess]:
    found = [
        Guess("key", f"{kaggle.key}, {kaggle.n_rows} rows to predict"),
        *(Guess(f"target {name}", _rule_row(kaggle, name), look=True) for name in kaggle.rules),
        Guess("metric", f"{chosen.name}, {chosen.direction} is better"),
    ]
    if kaggle.usage:
        said = ", ".join(f"{n} {value}" for value, n in sorted(kaggle.usage.items()))
        found.append(Guess(USAGE, f"{said}; a score is of all of them"))
    if kaggle.untrained:
        found.append(Guess("train.csv", f"has no column {', '.join(kaggle.untrained)}", look=True))
    found += [
        Guess(f"target {name}", "has empty cells in solution.csv", look=True)
        for name in kaggle.empty_targets
    ]
    for name, grade in grades.items():
        if name in {"perfect", *_RIVALS}:
            why = grade.outcome if grade.score is None else str(grade.score)
            found.append(Guess(f"score of {name}", why, look=grade.score is None))
    return found
