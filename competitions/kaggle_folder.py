"""What a folder in Kaggle's form holds: its key, targets, types and ranges, guessed from the files.

Such a folder holds ``train.csv``, ``test.csv``, ``sample_submission.csv`` and ``solution.csv``; the
solution may have a column ``Usage`` that says Public or Private of each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from competitions.errors import InvalidDefinitionError, RawDataError
from competitions.io import listed, printable, said_by
from competitions.metric_file import USAGE
from competitions.shapes import spelled_out
from competitions.spec import Column
from competitions.submission import MAX_SUBMISSION_BYTES, key_index
from competitions.work import refuse_longer_rows

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

FILES = ("train.csv", "test.csv", "solution.csv", "sample_submission.csv")
USAGES = ("Public", "Private")
CLASSES = frozenset(
    {"accuracy", "macro-f1", "micro-f1", "quadratic-weighted-kappa", "matthews-correlation"}
)  # metrics that compare classes, so that a whole number stands for one
PROBABILITIES = frozenset(
    {"auc-roc", "log-loss", "mean-column-wise-auc", "multi-class-log-loss", "weighted-auc"}
)
_MAX_LABELS, _PEEK, _LONG_TEXT, _MAX_NAME = 50, 1000, 60, 200


@dataclass(frozen=True)
class Kaggle:
    """A folder's files, and what they are taken to be.

    Parameters
    ----------
    columns : dict
        Of each file, in its order.
    kinds : dict
        What stands in each column of the train and test tables: numbers, words, texts.
    usage : dict
        Rows per value of ``Usage``; empty where there is no such column.
    empty_targets : tuple of str
        Targets with empty cells in the solution.
    """

    folder: Path
    columns: dict[str, list[str]]
    kinds: dict[str, str]
    key: str
    rules: dict[str, Column]
    fill: dict[str, bool | int | float | str | None]
    n_rows: int
    usage: dict[str, int]
    empty_targets: tuple[str, ...]

    @property
    def untrained(self) -> list[str]:
        """Targets that the train table lacks."""
        return [name for name in self.rules if name not in self.columns["train.csv"]]


def read_kaggle(folder: Path, metric: str) -> Kaggle:
    """Read a folder in Kaggle's form and guess what its columns are.

    Parameters
    ----------
    metric : str
        The metric's name; whether it compares classes or takes probabilities decides some types.

    Raises
    ------
    RawDataError
        With every problem: files missing or unreadable, no key or no target in common, keys that
        repeat or differ from file to file, other values of ``Usage`` than Public and Private.
    """
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise RawDataError(f"Expected {', '.join(missing)} in {folder}, found none.")
    heads = {name: _read(folder / name, nrows=_PEEK) for name in FILES}
    _require_own_names(folder)
    columns = {name: [str(c) for c in head.columns] for name, head in heads.items()}
    key, targets = _roles(folder, columns)
    solution = _read(folder / "solution.csv")
    sample = _read(folder / "sample_submission.csv")
    test = _read(folder / "test.csv", usecols=[key])
    tables = {"solution.csv": solution, "test.csv": test, "sample_submission.csv": sample}
    problems = _key_problems(tables, key) + _usage_problems(solution)
    problems += _answer_problems(solution, targets)
    if heads["train.csv"].empty:
        problems.append("train.csv: expected rows, found none")
    if problems:
        raise RawDataError(f"{folder}: {'; '.join(problems)}.")
    both = heads["test.csv"].to_dict("series") | heads["train.csv"].to_dict("series")
    return Kaggle(
        folder=folder,
        columns=columns,
        kinds={str(name): _kind(values) for name, values in both.items()},
        key=key,
        rules={name: _rule(solution[name], sample[name], metric) for name in targets},
        fill={name: _first(sample[name]) for name in targets},
        n_rows=len(solution),
        usage=dict(solution[USAGE].value_counts()) if USAGE in solution else {},
        empty_targets=tuple(name for name in targets if solution[name].isna().any()),
    )


def _read(
    path: Path,
    nrows: int | None = None,
    usecols: list[str] | None = None,
    header: Literal["infer"] | None = "infer",
) -> pd.DataFrame:
    import pandas as pd

    if path.stat().st_size > MAX_SUBMISSION_BYTES and nrows is None and usecols is None:
        raise RawDataError(f"{path}: expected at most {MAX_SUBMISSION_BYTES >> 30} GiB.")
    try:
        frame = pd.read_csv(path, nrows=nrows, usecols=usecols, header=header, low_memory=False)
        if header is not None and usecols is None:
            refuse_longer_rows(frame, path, {})
    except (ValueError, OverflowError) as error:  # parser errors and broken UTF-8 are ValueErrors
        raise RawDataError(f"{path} cannot be read: {said_by(error)}") from error
    return frame


def _require_own_names(folder: Path) -> None:
    """See that no file has two columns of one name: pandas would rename the second in silence."""
    problems = []
    for name in FILES:
        first = _read(folder / name, nrows=1, header=None).iloc[0].dropna()
        if repeated := sorted({str(column) for column in first[first.duplicated()]}):
            problems.append(f"{name}: expected each column once, found {listed(repeated)} repeated")
    if problems:
        raise RawDataError(f"{folder}: {'; '.join(problems)}.")


def _roles(folder: Path, columns: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Tell key and targets: the sample's columns that the test table has, and has not."""
    sample, test, solution = (
        columns[name] for name in ("sample_submission.csv", "test.csv", "solution.csv")
    )
    keys = [name for name in sample if name in test]
    targets = [name for name in sample if name not in test]
    problems = []
    if len(keys) != 1:
        found = ", ".join(keys) or "none"
        problems.append(
            f"expected one column of sample_submission.csv that names the rows of test.csv, "
            f"found {found}"
        )
    if not targets:
        problems.append("sample_submission.csv has no column that test.csv lacks: no target")
    lacking = [name for name in sample if name not in solution]
    if lacking:
        problems.append(
            f"solution.csv lacks {', '.join(lacking)} of sample_submission.csv: it has "
            f"{', '.join(solution[:20])}"
        )
    odd = sorted({name for names in columns.values() for name in names if not can_be_named(name)})
    if odd:
        shown = ", ".join(printable(name[:40]) for name in odd[:5])
        problems.append(f"a definition cannot name the columns {shown}: rename them")
    if problems:
        raise RawDataError(f"{folder}: {'; '.join(problems)}.")
    return keys[0], targets


def can_be_named(column: str) -> bool:
    """Say whether YAML takes a name as a key, and neither it nor Markdown for something else."""
    plain = column.isprintable() and "`" not in column and len(column) <= _MAX_NAME
    return plain and spelled_out(column) == [column]


def _answer_problems(solution: pd.DataFrame, targets: list[str]) -> list[str]:
    """Say where answers that are numbers are none; texts may be empty."""
    import pandas as pd

    problems = []
    for name in targets:
        if not pd.api.types.is_numeric_dtype(solution[name]):
            continue
        n_empty = int(solution[name].isna().sum())
        n_infinite = int((solution[name].abs() == float("inf")).sum())
        if n_empty or n_infinite:
            problems.append(
                f"solution.csv: expected a number in every row of {name}, found {n_empty} empty "
                f"and {n_infinite} infinite"
            )
    return problems


def _key_problems(tables: dict[str, pd.DataFrame], key: str) -> list[str]:
    problems = []
    keys = {name: key_index(table, (key,)) for name, table in tables.items()}
    for name, found in keys.items():
        n_repeated, n_empty = sum(found.duplicated()), sum(found.isna())
        if n_repeated or n_empty:
            problems.append(
                f"{name}: expected one row per {key}, found {n_repeated} repeated and "
                f"{n_empty} empty" + (" (so are NA and null)" if n_empty else "")
            )
    wanted = set(keys["test.csv"].dropna())
    for name in ("solution.csv", "sample_submission.csv"):
        own = set(keys[name].dropna())
        if own != wanted:
            problems.append(
                f"{name}: expected the {len(wanted)} keys of test.csv, found "
                f"{len(own - wanted)} others and {len(wanted - own)} missing"
            )
    return problems if wanted else [*problems, "test.csv: expected rows, found none"]


def _usage_problems(solution: pd.DataFrame) -> list[str]:
    if USAGE not in solution:
        return []
    values = solution[USAGE]
    odd = values[~values.isin(USAGES)].fillna("nothing").map(str).value_counts()
    if len(odd):
        said = ", ".join(f"{value} in {n} rows" for value, n in odd.head(5).items())
        return [f"solution.csv: expected Public or Private under {USAGE}, found {said}"]
    if len(values) and values.nunique() != len(USAGES):
        return [f"solution.csv: expected Public and Private under {USAGE}, found {values.iloc[0]}"]
    return []


def _kind(values: pd.Series) -> str:
    import pandas as pd

    if pd.api.types.is_bool_dtype(values):
        return "True or False"
    if pd.api.types.is_numeric_dtype(values):
        return "number"
    lengths = values.dropna().map(str).str.len()
    return "text" if len(lengths) and lengths.mean() > _LONG_TEXT else "word"


def _rule(answers: pd.Series, sample: pd.Series, metric: str) -> Column:
    """Guess a target's type and range from what it holds, and what the sample shows."""
    import pandas as pd

    empty = bool(answers.isna().any())
    both = pd.concat([answers.dropna().astype(object), sample.dropna().astype(object)])
    if pd.api.types.is_bool_dtype(answers):
        return Column(type="bool", may_be_empty=empty)
    if not pd.api.types.is_numeric_dtype(answers):
        labels = sorted({str(value) for value in both})
        if len(labels) <= _MAX_LABELS and 2 * len(labels) <= len(answers):
            return Column(type="label", labels=tuple(labels), may_be_empty=empty)
        return Column(type="text", may_be_empty=empty)
    if not pd.api.types.is_numeric_dtype(sample):
        sample = sample[:0].astype(float)
    return _number_rule(answers, sample, metric, may_be_empty=empty)


def _number_rule(
    answers: pd.Series, sample: pd.Series, metric: str, *, may_be_empty: bool
) -> Column:
    both = [*answers.dropna(), *sample.dropna()]
    whole = bool((answers.dropna() % 1 == 0).all())
    shown_whole = bool((sample.dropna() % 1 == 0).all())
    low, high = float(min(both)), float(max(both))
    if metric in CLASSES and whole and shown_whole:
        return Column(type="int", low=low, high=high, may_be_empty=may_be_empty)
    in_unit = low >= 0 and high <= 1
    if in_unit and (metric in PROBABILITIES or (whole and not shown_whole)):
        return Column(type="float", low=0, high=1, may_be_empty=may_be_empty)
    return Column(type="float", may_be_empty=may_be_empty)


def _first(values: pd.Series) -> bool | int | float | str | None:
    """Return a sample's first value as plain Python."""
    value = values.iloc[0]
    if values.isna().iloc[0]:
        return None
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, bool | int | float) else str(plain)


def check_metric_file(path: Path) -> str:
    """Look whether a Python file has Kaggle's ``score``, without running it.

    Returns
    -------
    str
        The first line of its docstring, or nothing.

    Raises
    ------
    InvalidDefinitionError
        When it cannot be parsed, or has no function ``score`` of three arguments.
    """
    import ast

    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidDefinitionError(path, [f"expected a Python file: {error}"]) from error
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    score = next((f for f in functions if f.name == "score"), None)
    most = 3  # solution, submission, row_id_column_name; further ones need defaults
    if score is None or len(score.args.args) < most:
        said = "expected a function score(solution, submission, row_id_column_name), found "
        found = "none" if score is None else f"one of {len(score.args.args)} arguments"
        raise InvalidDefinitionError(path, [said + found])
    return (ast.get_docstring(score) or "").strip().partition("\n")[0]
