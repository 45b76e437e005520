"""The files of the public and the private part: tables, side tables, copies, and their archives."""

from __future__ import annotations

import contextlib
import csv
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.errors import MissingLibraryError, RawDataError
from competitions.io import listed
from competitions.packs import pack_file
from competitions.row_files import filled
from competitions.shapes import Borrowed, Varied
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from competitions.shapes import OutputFile, Renumber, Scalar
    from competitions.spec import Competition
    from competitions.work import Work

ROW_GROUP = 1 << 20  # rows; what parquet's writer takes when nothing is said
RAW = "raw_"  # before the name of a column that was renumbered: its old values


class Trees(NamedTuple):
    """The two folders that `prepare` fills."""

    public: Path
    private: Path


def renumbered(parts: Parts, rule: Renumber | None) -> Parts:
    """Give ids new values in the order of each part; the old ones stay in ``raw_<column>``."""
    if rule is None:
        return parts
    start = rule.first + (len(parts.train) if rule.continues else 0)
    return Parts(
        _numbered(parts.train, rule, rule.train, rule.first),
        _numbered(parts.test, rule, rule.test, start),
    )


def _numbered(frame: pd.DataFrame, rule: Renumber, pattern: str, first: int) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    column = rule.column
    require_columns(frame, [column], "renumber")
    places = pd.factorize(frame[column])[0] if rule.shared else np.arange(len(frame))
    numbers = places.astype(np.int64) + first
    values = numbers if pattern == "{n}" else [pattern.format(n=n) for n in numbers.tolist()]
    return frame.assign(**{RAW + column: frame[column], column: values})


def with_derived(parts: Parts, derived: Mapping[str, str]) -> Parts:
    """Give both parts the columns that are texts made of other columns."""
    train, test = (
        part.assign(**{name: filled(text, part) for name, text in derived.items()})
        for part in parts
    )
    return Parts(train, test)


def write_outputs(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write every file that the task's YAML lists.

    Raises
    ------
    RawDataError
        When a raw file that is copied or filtered is missing, or lacks a column.
    """
    write_files(spec, work, trees, lambda file: [_table(spec, work, file, parts)])


def write_files(
    spec: Competition,
    work: Work,
    trees: Trees,
    tables: Callable[[OutputFile], Iterable[pd.DataFrame]],
) -> None:
    """Write every file that the task's YAML lists, tables in pieces.

    Parameters
    ----------
    tables : callable
        ``(file) -> tables``: the rows of a file from first to last, in one or more tables of the
        same columns and types.
    """
    for tree, files in ((trees.public, spec.public), (trees.private, spec.private)):
        for file in files:
            if file.made is not None:
                continue
            target = tree / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.copy_of is not None:
                _copy(work, file.copy_of, target)
                continue
            _write(tables(file), target, file)
            if file.pack is not None:
                pack_file(target, tree / file.pack)


def _write(tables: Iterable[pd.DataFrame], target: Path, file: OutputFile) -> None:
    if target.suffix == ".parquet":
        _write_parquet(tables, target)
        return
    for number, table in enumerate(tables):
        table.to_csv(
            target,
            mode="a" if number else "w",
            header=not number,
            index=file.index,
            sep=file.sep,
            float_format=file.float_format,
            quoting=csv.QUOTE_NONNUMERIC if file.quote == "words" else csv.QUOTE_MINIMAL,
            lineterminator="\n",
        )


def _write_parquet(tables: Iterable[pd.DataFrame], target: Path) -> None:
    """Write as ``DataFrame.to_parquet(index=False)`` does, bytes and all.

    They are the same when each table but the last has whole `ROW_GROUP`s.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingLibraryError("pyarrow", f"{target.name} cannot be written") from error
    with contextlib.ExitStack() as stack:
        writer: parquet.ParquetWriter | None = None
        for table in tables:
            rows = pa.Table.from_pandas(table, preserve_index=False)
            if writer is None:
                writer = parquet.ParquetWriter(target, rows.schema, compression="snappy")
                stack.enter_context(writer)
            writer.write_table(rows, ROW_GROUP)


def write_table(table: pd.DataFrame, target: Path) -> None:
    """Write a table as hooks do where nothing else is said: plain CSV without row numbers."""
    write_pieces([table], target)


def write_pieces(tables: Iterable[pd.DataFrame], target: Path) -> None:
    """Write tables of the same columns one after the other, as `write_table` does."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(tables):
        table.to_csv(
            target,
            mode="a" if number else "w",
            header=not number,
            index=False,
            lineterminator="\n",
        )


def _copy(work: Work, name: str, target: Path) -> None:
    source = work.path(name)
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    elif source.is_file():
        shutil.copyfile(source, target)
    else:
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")


def _table(spec: Competition, work: Work, file: OutputFile, parts: Parts) -> pd.DataFrame:
    part = parts.train if file.part == "train" else parts.test
    if file.source is not None and file.by is not None:
        side = raw_table(spec, work, file.source)
        part = rows_of(file, side, names_of(spec, file, parts))
    return finished(spec, file, Parts(parts.train, part))


def names_of(spec: Competition, file: OutputFile, parts: Parts) -> set[object]:
    """Return the values of `by` that a side table's rows must have to be kept."""
    part = parts.train if file.part == "train" else parts.test
    return set(_column(part, str(file.by), spec.split.on))


def rows_of(file: OutputFile, side: pd.DataFrame, names: set[object]) -> pd.DataFrame:
    """Return the rows of a side table that have one of these values."""
    return side[_column(side, str(file.by), str(file.source)).isin(names)]


def finished(spec: Competition, file: OutputFile, rows: Parts) -> pd.DataFrame:
    """Make of rows the table that a file holds.

    Parameters
    ----------
    rows : Parts
        The train part, on which a sample may depend, and the rows of the file whosever they are.

    Raises
    ------
    RawDataError
        When they lack a column.
    """
    part = rows.test
    where = file.source or spec.split.on
    if file.part == "sample":
        part = _sample(spec, rows, where)
    require_columns(part, [*file.drop, *([file.one_per] if file.one_per else [])], where)
    hidden = [c for c in part.columns if c.startswith(RAW) and c.removeprefix(RAW) in part]
    if file.one_per is not None:
        part = part.groupby(file.one_per).first().reset_index()
    table = part.drop(columns=[*file.drop, *hidden]).rename(columns=file.rename)
    require_columns(table, [*file.sort, *([file.one_hot] if file.one_hot else [])], where)
    if file.one_hot is not None:
        table = _one_hot(table, file.one_hot, spec.targets)
    if file.sort:
        table = table.sort_values(list(file.sort))
    require_columns(table, file.columns, where)
    return table[list(file.columns)] if file.columns else table


def _column(frame: pd.DataFrame, name: str, where: str) -> pd.Series:
    require_columns(frame, [name], where)
    return frame[name]


def require_columns(frame: pd.DataFrame, names: Iterable[str], where: str) -> None:
    """See that a table has columns.

    Parameters
    ----------
    where : str
        The raw file that the table comes from.

    Raises
    ------
    RawDataError
        With the columns that are missing and those that are there.
    """
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise RawDataError(
            f"{where}: expected the columns {', '.join(missing)}, found {listed(frame.columns)}."
        )


def _one_hot(table: pd.DataFrame, column: str, targets: tuple[str, ...]) -> pd.DataFrame:
    """Replace a column of labels by one of 0 and 1 for each predicted column's name."""
    import pandas as pd

    labels = table[column].astype(str)
    unknown = sorted(set(labels) - set(targets))
    if unknown:
        raise RawDataError(
            f"{column}: expected one of {len(targets)} labels, found {', '.join(unknown[:5])}."
        )
    marks = {target: (labels == target).astype(int) for target in targets}
    rest = table.drop(columns=column)
    return pd.concat([rest, pd.DataFrame(marks, index=rest.index)], axis=1)


def _sample(spec: Competition, parts: Parts, where: str) -> pd.DataFrame:
    """Return the example submission: the test part's keys, and values of predicted columns."""
    test = parts.test
    origin = {new: old for old, new in spec.sample_submission.rename.items()}
    names = [origin.get(name, name) for name in spec.submission.key]
    names += [name for name in spec.sample_submission.keep if name not in names]
    require_columns(test, names, where)
    return with_fill(test[names].rename(columns=spec.sample_submission.rename), spec, parts)


def with_fill(sample: pd.DataFrame, spec: Competition, parts: Parts) -> pd.DataFrame:
    """Give keys of the example submission their predicted columns."""
    import pandas as pd

    fill = spec.sample_submission.fill
    filled = {name: _filling(value, parts) for name, value in fill.items()}
    kept = [name for name in filled if name in sample]
    new = pd.DataFrame({n: v for n, v in filled.items() if n not in kept}, index=sample.index)
    return pd.concat([sample.assign(**{n: filled[n] for n in kept}), new], axis=1)


def _filling(
    value: Scalar | Varied | Borrowed | None, parts: Parts
) -> NDArray[Any] | pd.Series | Scalar | None:
    if isinstance(value, Varied):
        return varied(value, len(parts.test))
    if isinstance(value, Borrowed):
        return parts.train[value.column].mean() if value.mean else parts.test[value.column]
    return value


def varied(rule: Varied, n: int) -> NDArray[Any]:
    """Return the values of a column of the example submission, one per row."""
    import numpy as np

    if rule.spread == "even":
        return np.linspace(rule.low, rule.high, n)
    if rule.spread == "whole":
        return np.random.RandomState(rule.seed).randint(int(rule.low), int(rule.high) + 1, n)
    drawn = np.random.default_rng(rule.seed).uniform(rule.low, rule.high, n)
    return drawn if rule.decimals is None else drawn.round(rule.decimals)
