"""Tables to build a counterexample from: a file of the user's, or data that ship with a library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from competitions.errors import RawDataError, UnknownNameError, UsageError
from competitions.io import listed
from competitions.kaggle_folder import can_be_named
from competitions.submission import MAX_HEADER_BYTES, MAX_SUBMISSION_BYTES
from competitions.table_faults import fault_of, no_text
from competitions.trap import CODE, KEY, NAMES, PROXIES, THING, WHEN, Kind, Table
from competitions.work import refuse_longer_rows

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

METRICS: Final[dict[str, Kind]] = {
    "auc-roc": "probability",
    "log-loss": "probability",
    "accuracy": "label",
    "macro-f1": "label",
    "rmse": "number",
    "mae": "number",
}
USUAL: Final[dict[Kind, str]] = {"probability": "log-loss", "label": "accuracy", "number": "rmse"}
MAX_THINGS: Final = 900  # more are drawn from: the agents have to try a build many times
MAX_CLASSES: Final = 30
LARGEST: Final = 1e30  # of numbers to learn from: trees hold them in single precision
_FEW_NUMBERS: Final = 12  # whole numbers of a target that are classes
_LEAST_ROWS: Final = 60
_LEAST_GROUPS: Final = 20
_RESERVED: Final = {KEY, THING, WHEN, CODE, *NAMES, *PROXIES}
_SEED: Final = 20240601  # which rows of a table with too many are taken


@dataclass(frozen=True)
class Origin:
    """A table with where it comes from.

    Parameters
    ----------
    plants : bool
        Whether a trap is planted unless the call says otherwise: where a table has no groups or
        times of its own.
    """

    table: Table
    name: str
    url: str
    licence: str | None = None
    plants: bool = True


def read_origin(
    path: Path,
    target: str,
    group: str | None = None,
    time: str | None = None,
    metric: str | None = None,
) -> Origin:
    """Read a CSV file of the user's.

    Parameters
    ----------
    target, group, time : str
        Columns; see `competitions.trap.Table`.
    metric : str or None
        One of `METRICS`, which says what kind of target it is; None guesses that.

    Raises
    ------
    UsageError
        When there is no such file, or no such metric here.
    RawDataError
        When it cannot be read or nothing can be built from it; with every problem that was found.
    """
    frame = _read(path)
    named = {"--target": target, "--group": group, "--time": time}
    lacking = [f"{o} {c}" for o, c in named.items() if c is not None and c not in frame.columns]
    if lacking:
        has = listed(frame.columns)
        raise RawDataError(f"{path} has no column for {', '.join(lacking)}; it has {has}.")
    if len({c for c in named.values() if c}) < sum(c is not None for c in named.values()):
        raise UsageError("--target, --group and --time have to name different columns.")
    empty = [c for c in frame.columns if c not in named.values() and frame[c].isna().all()]
    empty = empty if len(frame) else []
    frame = frame.drop(columns=empty)
    problems = [*_name_problems(frame, {target, group, time}), *_target_problems(frame, target)]
    problems += [*_size_problems(frame, target), *_role_problems(frame, group, time)]
    if problems:
        raise RawDataError(f"{path}: {'; '.join(problems)}.")
    kind = _kind(frame[target], metric)
    if kind != "number" and frame[target].nunique() > MAX_CLASSES:
        found = frame[target].nunique()
        raise RawDataError(f"{path}: expected at most {MAX_CLASSES} classes, found {found}.")
    table = _fewer(Table(_as_asked(frame, target, kind, path), target, kind, group, time))
    own = f"a table of its author, {path.name}"
    return Origin(table, path.stem, own, plants=group is None and time is None)


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    if not path.is_file():
        raise UsageError(f"Expected a CSV file at {path}, found none.")
    if path.stat().st_size > MAX_SUBMISSION_BYTES:
        raise RawDataError(f"{path}: expected at most {MAX_SUBMISSION_BYTES >> 30} GiB.")
    with path.open("rb") as stream:
        first = stream.readline(MAX_HEADER_BYTES + 1)
        if other := no_text(first + stream.read(MAX_HEADER_BYTES)):
            raise RawDataError(f"{path}: expected a CSV file, found {other}.")
    if len(first) > MAX_HEADER_BYTES:
        most = MAX_HEADER_BYTES >> 10
        raise RawDataError(f"{path}: expected a first line of at most {most} KiB.")
    try:
        head = pd.read_csv(path, nrows=1, header=None, dtype=str).iloc[0].dropna()
        if repeated := sorted(set(head[head.duplicated()])):
            raise RawDataError(
                f"{path}: expected each column once, found {listed(repeated)} twice."
            )
        frame = pd.read_csv(path, low_memory=False)
        refuse_longer_rows(frame, path, {})
    except (ValueError, OverflowError) as error:  # parser errors and broken UTF-8 are ValueErrors
        raise RawDataError(f"{path} cannot be read: {fault_of(error)}.") from error
    return frame


def _name_problems(frame: pd.DataFrame, roles: set[str | None]) -> list[str]:
    problems = []
    if odd := [c for c in frame.columns if not can_be_named(str(c))]:
        problems.append(f"a definition cannot name the columns {listed(odd)}: rename them")
    if taken := sorted(_RESERVED & set(frame.columns) - {KEY}):
        problems.append(f"the columns {listed(taken)} are called as what is planted: rename them")
    if KEY in roles:
        problems.append(f"{KEY} numbers the rows of the new task and is no target, group or time")
    if not [c for c in frame.columns if c not in {*roles, KEY}]:
        problems.append("it has no column to learn from")
    return problems


def _target_problems(frame: pd.DataFrame, target: str) -> list[str]:
    import numpy as np

    values = frame[target]
    if not len(values):
        return ["expected rows, found none"]
    if not values.notna().any():
        return [f"the target {target} is empty in every row"]
    problems = []
    if n_empty := int(values.isna().sum()):
        problems.append(f"the target {target} is empty in {n_empty} of {len(values)} rows")
    if len(set(values.dropna())) == 1:
        problems.append(f"the target {target} is {values.dropna().iloc[0]!s:.40} in every row")
    if values.dtype.kind == "f" and np.isinf(values).any():
        problems.append(f"the target {target} is infinite in {int(np.isinf(values).sum())} rows")
    elif values.dtype.kind in "iuf" and (values.abs() >= LARGEST).any():
        problems.append(f"expected numbers below {LARGEST:g} in size in the target {target}")
    if len(values) < _LEAST_ROWS:
        problems.append(f"expected at least {_LEAST_ROWS} rows, found {len(values)}")
    return problems


def _size_problems(frame: pd.DataFrame, target: str) -> list[str]:
    """Name the columns whose numbers are infinite, or so large that no sum of squares holds them.

    Infinities of the target are told with what else is wrong with it.
    """
    numbers = frame.select_dtypes("number").drop(columns=target, errors="ignore")
    huge = numbers.columns[(numbers.abs() >= LARGEST).any()]
    if not len(huge):
        return []
    return [f"expected numbers below {LARGEST:g} in size, found larger ones in {listed(huge)}"]


def _role_problems(frame: pd.DataFrame, group: str | None, time: str | None) -> list[str]:
    problems = []
    for name, column in (("group", group), ("time", time)):
        if column is not None and (n_empty := int(frame[column].isna().sum())):
            problems.append(f"the {name} {column} is empty in {n_empty} rows")
    if group is not None:
        n = frame[group].nunique()
        if n == len(frame) > 0:
            problems.append(
                f"the group {group} is another one in every row, so that no rows belong together: "
                "leave --group out, and rows are copied"
            )
        elif n < _LEAST_GROUPS:
            problems.append(f"expected at least {_LEAST_GROUPS} groups by {group}, found {n}")
    if time is not None and not _is_time(frame[time]):
        problems.append(f"the time {time} holds neither numbers nor dates such as 2024-01-31")
    return problems


def _is_time(values: pd.Series) -> bool:
    import pandas as pd

    if values.dtype.kind in "iuf":
        return True
    dates = values.astype(str).str.match(r"\d{4}-\d\d?-\d\d?")
    moments = pd.to_datetime(values, format="mixed", errors="coerce")
    return bool(dates.all() and moments.notna().all())


def _kind(values: pd.Series, metric: str | None) -> Kind:
    if metric is not None:
        if metric not in METRICS:
            raise UnknownNameError(
                "metric of a counterexample", metric, METRICS, f"There are: {', '.join(METRICS)}."
            )
        return METRICS[metric]
    different = set(values.unique())
    if different <= {0, 1}:  # False and True are these
        return "probability"
    whole = values.dtype.kind in "iu" and len(different) <= _FEW_NUMBERS
    return "label" if whole or values.dtype.kind not in "iuf" else "number"


def _as_asked(frame: pd.DataFrame, target: str, kind: Kind, path: Path) -> pd.DataFrame:
    """Give the target the type that its kind has."""
    values = frame[target]
    if kind == "probability" and not set(values.unique()) <= {0, 1}:
        raise RawDataError(f"{path}: a probability asks for a target {target} of 0 and 1.")
    if kind == "number" and values.dtype.kind not in "iuf":
        raise RawDataError(f"{path}: expected numbers in the target {target}, found words.")
    types = {"probability": "int64", "number": "float64"}
    whole = values.dtype.kind in "iu"
    wanted = types.get(kind, "int64" if whole else "str")
    return frame.astype({target: wanted})


def _fewer(table: Table) -> Table:
    """Draw some things of a table that has too many, always the same ones."""
    import numpy as np

    names = table.frame[table.group] if table.group else table.frame.index.to_series()
    different = np.sort(names.unique())
    if len(different) <= MAX_THINGS or table.time is not None:
        return table
    drawn = np.random.default_rng(_SEED).choice(different, MAX_THINGS, replace=False)
    return replace(table, frame=table.frame[names.isin(drawn)].reset_index(drop=True))


# ---------------------------------------------------------------- what ships with libraries


def embedded_origin(name: str) -> Origin:
    """Return a table that ships with scikit-learn, statsmodels or Babel.

    Raises
    ------
    UnknownNameError
        When none is called so.
    """
    plain = name.replace("_", "-")
    if plain not in EMBEDDED:
        raise UnknownNameError(
            "embedded table", name, EMBEDDED, f"There are: {', '.join(EMBEDDED)}."
        )
    return EMBEDDED[plain]()


def _breast_cancer() -> Origin:
    from sklearn.datasets import load_breast_cancer

    frame = load_breast_cancer(as_frame=True).frame
    frame = frame.rename(columns=lambda column: column.replace(" ", "_"))
    frame["malignant"] = 1 - frame.pop("target")  # scikit-learn codes malignant as 0
    table = Table(frame, "malignant", "probability")
    return Origin(table, "breast-cancer", "https://doi.org/10.24432/C5DW2B", "CC BY 4.0")


def _digits() -> Origin:
    from sklearn.datasets import load_digits

    frame = load_digits(as_frame=True).frame.rename(columns={"target": "digit"})
    few = frame.sample(600, random_state=_SEED).reset_index(drop=True)
    few = few.astype({"digit": "int64"})
    return Origin(
        Table(few, "digit", "label"), "digits", "https://doi.org/10.24432/C50P49", "CC BY 4.0"
    )


def _diabetes() -> Origin:
    from sklearn.datasets import load_diabetes

    frame = load_diabetes(as_frame=True, scaled=False).frame
    frame = frame.rename(columns={"target": "progression"})
    url = "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html"
    return Origin(Table(frame, "progression", "number"), "diabetes", url)


def _place_names() -> Origin:
    from competitions.sources.embedded.place_names import table

    frame = table()
    chosen = frame["language"].isin(["Finnish", "Spanish", "Hungarian", "Croatian", "Dutch"])
    few = frame.loc[chosen, ["name", "language"]].sample(600, random_state=_SEED)
    return Origin(
        Table(few.reset_index(drop=True), "language", "label"),
        "place-names",
        "https://cldr.unicode.org",
        "Unicode-3.0",
    )


def _health(target: str) -> Callable[[], Origin]:
    """Persons of the RAND Health Insurance Experiment, with a row per year.

    The table has no number for them; rows of one person stand one after the other, and plan,
    chronic diseases and limits do not change. Neighbours alike in all of these become one person.

    References
    ----------
    Deb and Trivedi (2002). https://doi.org/10.1016/S0167-6296(02)00008-5
    """

    def make() -> Origin:
        from statsmodels.datasets import randhie

        frame = randhie.load_pandas().data
        fixed = frame[["disea", "idp", "physlm", "lncoins"]]
        frame["person"] = (fixed != fixed.shift()).any(axis="columns").cumsum()
        frame = frame.drop(columns=[] if target == "mdvis" else "mdvis")
        frame = frame.astype({target: "float64"})
        often = frame["person"].map(frame["person"].value_counts()) > 2  # noqa: PLR2004 - years
        table = _fewer(Table(frame[often].reset_index(drop=True), target, "number", group="person"))
        url = "https://www.statsmodels.org/stable/datasets/generated/randhie.html"
        name = "health-visits" if target == "mdvis" else "health-diseases"
        return Origin(table, name, url, "public domain", plants=False)

    return make


EMBEDDED: Final[dict[str, Callable[[], Origin]]] = {
    "breast-cancer": _breast_cancer,
    "digits": _digits,
    "diabetes": _diabetes,
    "place-names": _place_names,
    "health-visits": _health("mdvis"),
    "health-diseases": _health("disea"),
}
