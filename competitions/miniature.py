"""Write tiny synthetic raw files with a task's real columns and formats, from its YAML.

The files hold no real row. A miniature has a learnable signal, so that agents, graders and
detectors can be tried end to end; its scores say nothing about the real board.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.errors import RefusedError, UsageError
from competitions.hooks import hooks_of
from competitions.io import atomic_path, sha256_file, walk_files, write_json
from competitions.miniature_files import make_file
from competitions.packs import pack
from competitions.row_files import file_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    import pandas as pd

    from competitions.spec import Competition, MiniatureColumn, MiniatureTable, RawFile, Scalar

MARKER = ".miniature.json"
_ONSETS = ("b", "br", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v")
_RIMES = ("a", "ai", "an", "e", "el", "en", "i", "ia", "in", "o", "on", "or", "u", "um")


def is_miniature(folder: Path) -> bool:
    """Say whether a folder holds nothing but a miniature that we wrote and nobody changed."""
    marker = folder / MARKER
    if not marker.is_file():
        return False
    try:
        digests = json.loads(marker.read_text(encoding="utf-8"))["files"]
    except (ValueError, KeyError, TypeError):
        return False
    found = {p.relative_to(folder).as_posix(): p for p in walk_files(folder) if p != marker}
    return found.keys() == digests.keys() and all(
        sha256_file(path) == digests[name] for name, path in found.items()
    )


def has_miniature(spec: Competition) -> bool:
    """Say whether the task's YAML or its hook describes a miniature."""
    hooks = hooks_of(spec)
    by_hook = hooks is not None and hooks.miniature is not None
    return by_hook or any(f.miniature for f in spec.raw)


def write_miniature(spec: Competition, folder: Path, seed: int = 0) -> None:
    """Write the raw files of a miniature into `folder`, with a marker that names them.

    Parameters
    ----------
    folder : Path
        Empty, missing, or holding an earlier miniature, which is replaced.
    seed : int
        The same seed gives the same bytes.

    Raises
    ------
    RefusedError
        When the folder holds anything that is no miniature.
    UsageError
        When the task's YAML describes none.
    """
    hooks = hooks_of(spec)
    if not has_miniature(spec):
        raise UsageError(
            f"{spec.id} has no miniature.", f"Prepare it with: mle-audit prepare -c {spec.id}"
        )
    if folder.is_dir() and any(folder.iterdir()):
        if not is_miniature(folder):
            raise RefusedError(
                f"{folder} holds files that are no miniature.",
                "Give miniatures a data directory of their own: --data-dir DIR",
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tables = _write_tables(spec, folder, seed)
    _write_row_files(spec, folder, tables, seed)
    if hooks is not None and hooks.miniature is not None:
        hooks.miniature(spec, folder, seed)
    _pack_raw(spec, folder)
    digests = {p.relative_to(folder).as_posix(): sha256_file(p) for p in walk_files(folder)}
    write_json(folder / MARKER, {"competition": spec.id, "seed": seed, "files": digests})


def _write_tables(spec: Competition, folder: Path, seed: int) -> dict[str, pd.DataFrame]:
    """Write every raw table; those that stand for file names are made and not written."""
    tables: dict[str, pd.DataFrame] = {}
    for file in spec.raw:
        if file.miniature is None:
            continue
        # Each table has numbers of its own, and the only one of a task those it always had.
        table = make_table(file.miniature, seed + len(tables))
        tables[file.path] = table
        if file.listing is None:
            with atomic_path(folder / file.path) as temporary:
                _write_table(table, temporary, file)
    return tables


def _write_table(table: pd.DataFrame, target: Path, file: RawFile) -> None:
    if file.path.endswith(".json"):
        target.write_text(json.dumps(table.to_dict("records")), encoding="utf-8")
    elif file.path.endswith(".jsonl"):
        lines = [json.dumps(record) + "\n" for record in table.to_dict("records")]
        target.write_text("".join(lines), encoding="utf-8")
    elif file.path.endswith(".parquet"):
        table.infer_objects().to_parquet(target, index=False)
    else:
        table.to_csv(target, index=False, sep=file.read.sep, lineterminator="\n")


def _write_row_files(
    spec: Competition, folder: Path, tables: Mapping[str, pd.DataFrame], seed: int
) -> None:
    import numpy as np

    for number, file in enumerate(f for f in spec.raw if f.each is not None):
        assert file.each is not None  # noqa: S101 - as chosen above
        rng = np.random.default_rng((seed, number))
        of = file.each.of
        names = [file.path] if of is None else file_names(file.path, tables[of])
        for name in dict.fromkeys(names):
            make_file(folder / name, file.each, rng)


def _pack_raw(spec: Competition, folder: Path) -> None:
    """Put what comes in archives into them, as Kaggle hands it out."""
    for packed in dict.fromkeys(f.packed for f in spec.raw if f.packed is not None):
        root = folder / packed.into
        names = [f.path for f in spec.raw if f.packed == packed and f.listing is None]
        found = sorted({p for name in names for p in folder.glob(_as_glob(name)) if p.is_file()})
        archive = folder / packed.archive
        pack(archive, [(p.relative_to(root).as_posix(), p) for p in found])
        if archive.suffix == ".gz":
            archive.write_bytes(gzip.compress(archive.read_bytes(), mtime=0))
        for path in found:
            path.unlink()
        for place in sorted({p for f in found for p in f.parents}, reverse=True):
            if place != folder and place.is_relative_to(folder) and not any(place.iterdir()):
                place.rmdir()


def _as_glob(pattern: str) -> str:
    return re.sub(r"\{[^}]*\}", "*", pattern)


class _Rows(NamedTuple):
    """Which group each row belongs to and its place there, both counted from 1."""

    group: np.ndarray
    member: np.ndarray


def _rows_of(table: MiniatureTable, rng: np.random.Generator) -> _Rows:
    import numpy as np

    sizes: tuple[int, ...] = (1,)
    weights: tuple[float, ...] = (1.0,)
    if table.groups is not None:
        sizes, weights = table.groups.sizes, table.groups.weights
    drawn = rng.choice(sizes, size=table.rows, p=np.array(weights) / sum(weights))
    group = np.repeat(np.arange(1, table.rows + 1), drawn)[: table.rows]
    first = np.searchsorted(group, group)
    return _Rows(group, np.arange(table.rows) - first + 1)


def make_table(table: MiniatureTable, seed: int = 0) -> pd.DataFrame:
    """Make one synthetic table; labels see the full values, cells go missing afterwards.

    Returns
    -------
    DataFrame
        With the table's columns in their order.
    """
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)
    maker = _Maker(rng, _rows_of(table, rng))
    labels = [name for name, c in table.columns.items() if c.kind == "label"]
    values: dict[str, list[Any]] = {}
    for name, column in table.columns.items():
        if name not in labels:
            values[name] = maker.column(name, column)
    for name in labels:
        values[name] = maker.label(table.columns[name])
    for name, column in table.columns.items():
        if column.missing:
            gone = rng.random(table.rows) < column.missing
            values[name] = [None if g else v for g, v in zip(gone, values[name], strict=True)]
        values[name] = [*column.first, *values[name][len(column.first) :]]
    return pd.DataFrame(
        {name: pd.Series(values[name], dtype=object) for name in table.columns}, dtype=object
    )


class _Maker:
    """Makes columns in order and remembers them, for labels and for zeros."""

    def __init__(self, rng: np.random.Generator, rows: _Rows) -> None:
        self.rng = rng
        self.rows = rows
        self.made: dict[str, list[Any]] = {}

    def column(self, name: str, column: MiniatureColumn) -> list[Any]:
        """Make one column; its parts are remembered as ``<name>.<part>``."""
        n_rows = len(self.rows.group)
        if column.kind == "template":
            values = self._template(name, column)
        elif column.kind == "mark":
            source, _, wanted = (column.where or "").partition("=")
            values = [int(str(v) == wanted) for v in self.made[source]]
        elif column.shared:
            n_groups = int(self.rows.group[-1])
            per_group = self._draw(column, n_groups)
            values = [per_group[g - 1] for g in self.rows.group]
        else:
            values = self._draw(column, n_rows)
        if column.zero_where is not None:
            off = self.made[column.zero_where]
            values = [column.off if o else v for o, v in zip(off, values, strict=True)]
        self.made[name] = values
        return values

    def _draw(self, column: MiniatureColumn, n: int) -> list[Any]:
        import numpy as np

        if column.kind == "choice":
            weights = np.array(column.weights or [1.0] * len(column.choices))
            picked = self.rng.choice(len(column.choices), size=n, p=weights / weights.sum())
            return [column.choices[i] for i in picked]
        if column.kind == "flag":
            return [bool(v) for v in self.rng.random(n) < column.share]
        if column.kind == "word":
            return [self._word() for _ in range(n)]
        return self._numbers(column, n)

    def _numbers(self, column: MiniatureColumn, n: int) -> list[Any]:
        import numpy as np

        if column.spread == "normal":
            drawn = np.maximum(self.rng.normal(column.high, column.deviation, n), column.low)
        elif column.spread == "exponential":
            drawn = column.low + self.rng.exponential(column.high, n)
        else:
            drawn = self.rng.uniform(column.low, column.high, n)
        drawn = np.where(self.rng.random(n) < column.zero, 0.0, drawn)
        if column.decimals is not None:
            drawn = np.round(drawn, column.decimals)
        return [int(v) if column.whole else float(v) for v in drawn]

    def _word(self) -> str:
        syllables = int(self.rng.integers(2, 4))
        onsets = self.rng.integers(len(_ONSETS), size=syllables)
        rimes = self.rng.integers(len(_RIMES), size=syllables)
        return "".join(_ONSETS[a] + _RIMES[b] for a, b in zip(onsets, rimes, strict=True)).title()

    def _template(self, name: str, column: MiniatureColumn) -> list[Any]:
        parts = {key: self.column(f"{name}.{key}", part) for key, part in column.parts.items()}
        return [
            (column.template or "").format(
                group=int(self.rows.group[row]),
                member=int(self.rows.member[row]),
                **{key: part[row] for key, part in parts.items()},
            )
            for row in range(len(self.rows.group))
        ]

    def _strength(self, source: str) -> np.ndarray:
        """Standardise a column, its logarithm first, or mark where it holds one choice."""
        import numpy as np

        name, _, choice = source.partition("=")
        made: list[Scalar] = self.made[name]
        if choice:
            raw = np.array([str(v) == choice for v in made], dtype=float)
        else:
            values = np.array(made, dtype=float)
            raw = np.sign(values) * np.log1p(np.abs(values))
        spread = raw.std()
        return (raw - raw.mean()) / spread if spread else raw * 0

    def label(self, column: MiniatureColumn) -> list[Any]:
        """Make a label from a weighted sum of other columns plus logistic noise."""
        import numpy as np

        n_rows = len(self.rows.group)
        total = self.rng.logistic(0, column.noise, n_rows) if column.noise else np.zeros(n_rows)
        for source, weight in column.signal.items():
            total = total + weight * self._strength(source)
        if column.choices:
            weights = np.array(column.weights or [1.0] * len(column.choices))
            ends = np.cumsum(weights / weights.sum()) * n_rows
            place = np.searchsorted(ends, np.argsort(np.argsort(total)) + 0.5)
            return [column.choices[i] for i in place]
        if column.decimals is not None:
            share = (total - total.min()) / (np.ptp(total) or 1.0)
            scaled = column.low + share * (column.high - column.low)
            return [float(v) for v in np.round(scaled, column.decimals)]
        return [bool(v) for v in total > np.median(total)]
