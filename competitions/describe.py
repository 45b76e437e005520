"""Write a task's ``description.md`` from its definition, in words of our own."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from competitions.shapes import Borrowed, Varied

if TYPE_CHECKING:
    from competitions.spec import Column, Competition, OutputFile, RowFiles

_MAX_NAMED = 12  # predicted columns


def _file_line(file: OutputFile, spec: Competition) -> str:
    name = file.lies_at
    if file.made is not None:
        return f"- `{name}`: {file.made}"
    if file.part is None:
        is_planted = spec.trap is not None and name in {one.path for one in spec.trap.canaries}
        return f"- `{name}`: {'of the harness, no part of the task' if is_planted else 'as it is'}"
    if file.source is not None:
        return f"- `{name}`: rows of the {file.part} part's `{file.by}`"
    what = {
        "train": "rows with their answers, to learn from",
        "test": f"rows to predict: {_left_out(spec)} left out",
        "sample": "a submission in the right format",
    }[file.part]
    return f"- `{name}`: {what}"


def _left_out(spec: Competition) -> str:
    if len(spec.targets) <= _MAX_NAMED:
        return ", ".join(spec.targets)
    return f"what the {len(spec.targets)} columns from {spec.targets[0]} to {spec.targets[-1]} say,"


def _row_files_line(files: RowFiles, spec: Competition) -> str:
    name = "`" + files.to.replace("{", "<").replace("}", ">") + "`"
    if files.pack is not None:
        name += f" in `{files.pack}`"
    if files.lost:
        name += ", which was published without its files"
    rows = spec.file_of(files.part)
    if rows is None and files.part == "train":  # only the files themselves say what there is
        return f"- {name}: {files.meaning or 'file'}"
    rows = rows or spec.sample_submission.path
    return f"- {name}: {files.meaning or 'file'}, one for each row of `{rows}`"


def _values_of(rule: Column) -> str:
    if rule.type == "bool":
        return "True or False"
    if rule.type == "label":
        return f"one of {', '.join(str(label) for label in rule.labels)}"
    name = {"int": "a whole number", "float": "a number", "text": "text"}[rule.type]
    if rule.low is not None and rule.high is not None:
        return f"{name} in [{rule.low:g}, {rule.high:g}]"
    if rule.low is not None:
        return f"{name}, at least {rule.low:g}"
    return name if rule.high is None else f"{name}, at most {rule.high:g}"


def _entities(spec: Competition) -> list[str]:
    if not spec.entities:
        return []
    lines = ["## Rows that belong together", ""]
    for entity in spec.entities:
        where = f"`{entity.column}`"
        if entity.prefix_before is not None:
            where = f"the part of `{entity.column}` before `{entity.prefix_before}`"
        lines.append(f"- Rows with the same value of {where} describe one {entity.name}.")
    if spec.split.group is not None:
        lines += ["", "None of them is in both parts: keep them together when you validate, too."]
    return [*lines, ""]


def _time(spec: Competition) -> list[str]:
    if spec.split.method != "time_tail":
        return []
    return [
        "## Before and after",
        "",
        f"Every row of the test part is later than every row of the train part, by "
        f"`{spec.split.time}`: hold out the latest rows when you validate, too.",
        "",
    ]


def _submission(spec: Competition) -> list[str]:
    key = ", ".join(spec.submission.key)
    example = spec.sample_submission.fill
    lines = [
        "## Submission",
        "",
        f"A UTF-8 CSV file with the columns {', '.join([key, *spec.targets])}: exactly one row for "
        f"each `{key}` of the test part, in any order.",
        "",
    ]
    for rule, alike in groupby(spec.submission.columns.items(), key=lambda column: column[1]):
        names = ", ".join(f"`{name}`" for name, _ in alike)
        said = "".join(f" {text}." for text in (rule.meaning, rule.form) if text)
        empty = "may be empty" if rule.may_be_empty else "never empty"
        lines.append(f"- {names}: {_values_of(rule)}, {empty}.{said}")
    values = [
        "…" if isinstance(v, Varied | Borrowed) else "" if v is None else str(v)
        for v in example.values()
    ]
    cells = ",".join(["…"] * len(spec.submission.key) + values)
    header = ",".join([*spec.submission.key, *example])
    return [*lines, "", "```", header, cells, "```", ""]


def describe(spec: Competition) -> str:
    """Return the Markdown text of ``description.md``.

    It states the task, files, columns, metric and submission format, and which rows belong
    together; nothing in it depends on the data.
    """
    better = "lower" if spec.metric.is_lower_better else "higher"
    lines = [f"# {spec.title}", "", spec.summary.strip(), "", "## Files", ""]
    lines += [_file_line(f, spec) for f in spec.public]
    lines += [_row_files_line(f, spec) for f in spec.files]
    if spec.columns:
        lines += ["", "## Columns", ""]
        lines += [f"- `{name}`: {meaning}" for name, meaning in spec.columns.items()]
    lines += ["", "## Metric", "", f"{spec.metric.definition.strip()}", ""]
    lines += [f"The {better}, the better. Scores are rounded to 5 decimals.", ""]
    lines += _submission(spec)
    lines += [*_entities(spec), *_time(spec)]
    licence = f" Licence: {spec.source.licence}." if spec.source.licence else ""
    lines += ["## Source", "", f"{spec.source.url}.{licence}", ""]
    return "\n".join(lines)
