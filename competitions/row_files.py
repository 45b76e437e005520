"""Files that follow their rows: an image or a recording per row of the train or the test part."""

from __future__ import annotations

import re
import shutil
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.io import listed
from competitions.packs import pack

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pandas as pd

    from competitions.spec import Competition
    from competitions.splits import Parts
    from competitions.work import Work

_MAX_SHOWN = 5
_BRACES = re.compile(r"\{(\w+)(?:\[(\d+)\])?\}")


def file_names(pattern: str, frame: pd.DataFrame) -> list[str]:
    """Fill a pattern such as ``images/{id}.png`` with the cells of each row.

    ``{id[0]}`` is the first character of the cell.

    Returns
    -------
    list of str
        One relative path per row, in the frame's order, none of which leads out of its folder.

    Raises
    ------
    RawDataError
        When the frame lacks a column of the pattern, or a path is empty, absolute or not in its
        plain form: with ``..``, ``//``, a backslash or a character that does not print.
    """
    names = filled(pattern, frame)
    empty = frame[columns_of(pattern)].isna().any(axis=1)
    odd = [n for n, is_empty in zip(names, empty, strict=True) if is_empty or not _is_plain(n)]
    if odd:
        raise RawDataError(
            f"{pattern}: expected plain relative paths, found {_listed(map(repr, odd), len(odd))}."
        )
    return names


def columns_of(*patterns: str) -> list[str]:
    """Return the columns that patterns name, each once.

    Examples
    --------
    >>> columns_of("{id[0]}/{id}.png", "{side}")
    ['id', 'side']
    """
    named = (column for pattern in patterns for column, _ in _BRACES.findall(pattern))
    return list(dict.fromkeys(named))


def filled(pattern: str, frame: pd.DataFrame) -> list[str]:
    """Fill a pattern with the cells of each row, whatever text that gives.

    Raises
    ------
    RawDataError
        When the frame lacks a column of the pattern.

    Examples
    --------
    >>> import pandas as pd
    >>> filled("{patient}_{side}", pd.DataFrame({"patient": [7, 7], "side": ["L", "R"]}))
    ['7_L', '7_R']
    """
    columns = columns_of(pattern)
    if any(column not in frame.columns for column in columns):
        raise RawDataError(
            f"{pattern}: expected the columns {', '.join(columns)}, found {listed(frame.columns)}."
        )
    fields: list[tuple[str, str]] = _BRACES.findall(pattern)
    cells = (_cells(frame[column], character) for column, character in fields)
    pieces = _BRACES.split(pattern)[::3]
    return [
        "".join(p + v for p, v in zip(pieces, row, strict=False)) + pieces[-1]
        for row in zip(*cells, strict=True)
    ]


def _cells(values: pd.Series, character: str) -> pd.Series:
    """Write cells as text, or one character of each; what is missing is empty."""
    text = values.astype(str).where(values.notna(), "")
    return text.str.get(int(character)).fillna("") if character else text


def _is_plain(name: str) -> bool:
    path = PurePosixPath(name)
    is_normal = not path.is_absolute() and str(path) == name and ".." not in path.parts
    return is_normal and name != "." and "\\" not in name and name.isprintable()


def _listed(names: Iterable[str], n: int) -> str:
    first = [name for name, _ in zip(names, range(_MAX_SHOWN), strict=False)]
    return ", ".join(first) + (f" and {n - _MAX_SHOWN} more" if n > _MAX_SHOWN else "")


def copy_row_files(spec: Competition, work: Work, public: Path, parts: Parts) -> None:
    """Bring the files of every row of `spec.files` into the public folder, loose or in an archive.

    Notes
    -----
    Files of the raw folder, which may be the user's, are copied; those that we unpacked ourselves
    are linked. Linear in the files, one process.

    Raises
    ------
    RawDataError
        Naming the files when some are missing, when two would get one name, or when a name leads
        out of its folder.
    """
    for rule in spec.files:
        rows = parts.train if rule.part == "train" else parts.test
        columns = columns_of(rule.source, rule.to)
        if set(columns) <= set(rows.columns):
            rows = rows[columns].drop_duplicates()  # many rows may share a file
        sources, targets = file_names(rule.source, rows), file_names(rule.to, rows)
        named = dict.fromkeys(sources)
        lacking = {name: None for name in named if not work.path(name).exists()}
        if lacking and not rule.may_lack:
            raise RawDataError(
                f"{work.raw}: expected {len(named)} files {rule.source}, "
                f"{len(lacking)} are missing: {_listed(lacking, len(lacking))}."
            )
        pairs = _paired(rule.to, sources, targets, public)
        # Names alone are held: with millions of files their paths take gigabytes.
        members = ((t, work.path(s)) for t, s in pairs.items() if s not in lacking)
        if rule.pack is not None:
            pack(public / rule.pack, [] if rule.lost else members)
        else:
            _bring(members, public, is_ours=work.unpacked)


def _bring(members: Iterable[tuple[str, Path]], public: Path, *, is_ours: Path) -> None:
    folders: set[Path] = set()
    for name, source in members:
        folder = (public / name).parent
        if folder not in folders:
            folder.mkdir(parents=True, exist_ok=True)
            folders.add(folder)
        if source.is_dir():
            shutil.copytree(source, public / name, symlinks=True)
        elif not source.is_relative_to(is_ours) or not _linked(source, public / name):
            shutil.copyfile(source, public / name)


def _linked(source: Path, target: Path) -> bool:
    try:
        target.hardlink_to(source)
    except OSError:  # another file system, or one without links
        return False
    return True


def _paired(pattern: str, sources: list[str], targets: list[str], public: Path) -> dict[str, str]:
    """Return the source of each target.

    Two files for one name, and a name that another file of the part has already, are refused.
    """
    owner: dict[str, str] = {}
    twice = [
        target
        for source, target in zip(sources, targets, strict=True)
        if owner.setdefault(target, source) != source or (public / target).exists()
    ]
    if twice:
        raise RawDataError(
            f"{pattern}: expected a name for each file, found names that several would get: "
            f"{_listed(twice, len(twice))}."
        )
    return owner
