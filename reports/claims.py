"""Published figures as people print them: ``Low 62.12 ± 1.52, …, seeds 3``, or a table of rows.

A figure keeps the text it was printed as: how many decimals it has decides what it can show.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from competitions.board_facts import all_facts
from competitions.errors import UsageError
from competitions.io import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ALL: Final = "all"
MAX_TABLE_BYTES: Final = 16 << 20
MAX_SEEDS: Final = 1000
FORM: Final = "Low 62.12 ± 1.52, Medium 36.84 ± 1.52, High 33.33 ± 0.00, seeds 3"

# What a reader has to know beside a figure, and the words that it is given by.
CONTEXT: Final[dict[str, tuple[str, ...]]] = {
    "model": ("model", "models", "llm"),
    "scaffold": ("scaffold", "agent"),
    "budget": ("budget", "time", "hours"),
    "hardware": ("hardware", "gpu", "machine"),
    "network": ("network", "internet"),
    "prior knowledge": ("prior knowledge", "prior_knowledge", "knowledge"),
    "test feedback": ("test feedback", "test_feedback", "feedback"),
}
_ALIASES = {"lite": "low", "overall": ALL, "total": ALL, "avg": ALL}
_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_FIGURE = re.compile(
    rf"(?P<split>[A-Za-z]\w*(?:[ -][A-Za-z]\w*)*)\s*[:=]?\s*(?P<mean>{_NUMBER})\s*%?"
    rf"(?:\s*(?:±|\+/?-|\\pm)\s*(?P<spread>{_NUMBER})\s*%?)?(?:\s*\(n\s*=\s*(?P<n>\d+)\))?"
)
_SEEDS = re.compile(r"(?:seeds|runs|k)\s*[:=]?\s*(\d{1,4})|(\d{1,4})\s*(?:seeds|runs)", re.I)
_CELL = re.compile(rf"({_NUMBER})\s*%?(?:\s*(?:±|\+/?-|\\pm)\s*({_NUMBER})\s*%?)?")
_EMPTY = frozenset({"", "-", "n/a", "na", "nan", "none", "?"})


class Printed(NamedTuple):
    """A number as it was printed."""

    text: str

    @property
    def value(self) -> float:
        """What it says."""
        return float(self.text)

    @property
    def unit(self) -> float:
        """One of its last digit.

        Examples
        --------
        >>> Printed("62.12").unit, Printed("27").unit
        (0.01, 1.0)
        """
        return float(f"1e-{len(self.text.partition('.')[2])}")


@dataclass(frozen=True)
class ClaimedFigure:
    """A printed mean over the tasks of a split, in per cent, with its spread over seeds.

    Parameters
    ----------
    split : str
        ``low``, ``medium``, ``high``, ``all`` (MLE-bench's), or a name of its own.
    n_tasks : int or None
        How many tasks it is over; None where neither the row nor the split says so.
    """

    split: str
    mean: Printed
    spread: Printed | None = None
    n_tasks: int | None = None

    @property
    def words(self) -> str:
        """The figure as it was printed."""
        spread = f" ± {self.spread.text}" if self.spread else ""
        return f"{self.split} {self.mean.text}{spread}"


@dataclass(frozen=True)
class Claim:
    """A published row.

    Parameters
    ----------
    label : str
        Whose it is, as far as the row says so.
    seeds : int or None
        Over how many seeds the means are.
    spread : str or None
        What the row itself says its ± is; most say nothing.
    context : mapping of str to str
        The fields of `CONTEXT` that the row fills.
    source : str
        Where it was read.
    """

    label: str
    figures: tuple[ClaimedFigure, ...]
    seeds: int | None = None
    spread: str | None = None
    context: Mapping[str, str] = field(default_factory=dict)
    source: str = "--claim"

    def figure(self, split: str) -> ClaimedFigure | None:
        """Return the figure of one split."""
        return next((f for f in self.figures if f.split == split), None)


class ClaimTable(NamedTuple):
    """The rows of a table, and what could not be read of it."""

    claims: tuple[Claim, ...]
    faults: tuple[str, ...] = ()


@cache
def split_tasks(split: str) -> frozenset[str]:
    """Return the ids of the tasks of one of MLE-bench's splits; none for any other name.

    Examples
    --------
    >>> [len(split_tasks(s)) for s in ("low", "medium", "high", "all", "mine")]
    [22, 38, 15, 75, 0]
    """
    of_75 = [f for f in all_facts().values() if f.split75]
    return frozenset(f.id for f in of_75 if split in {ALL, f.complexity})


def parse_claim(text: str, source: str = "--claim") -> Claim:
    """Read a published row from one line.

    Pieces stand between commas or semicolons: ``<split> <mean> [± <spread>] [(n=<tasks>)]``,
    ``seeds <k>``, ``spread <what ± is>``, ``agent <name>`` and the fields of `CONTEXT`.

    Raises
    ------
    UsageError
        When a piece is none of these, a split is named twice, or there is no figure.

    Examples
    --------
    >>> claim = parse_claim("Low 62.12 ± 1.52, All 43.56±.89, seeds 3")
    >>> claim.figures[0].words, claim.figures[1].n_tasks, claim.seeds
    ('low 62.12 ± 1.52', 75, 3)
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # a call may hold bytes that are none
    found: list[ClaimedFigure] = []
    seeds, spread, label = None, None, ""
    context: dict[str, str] = {}
    for piece in filter(None, map(str.strip, re.split(r"[,;|\n]", text))):
        word, _, rest = piece.partition(" ")
        if match := _SEEDS.fullmatch(piece):
            seeds = _seeds(match[1] or match[2], source)
        elif word.lower().rstrip(":") == "spread" and rest:
            spread = rest.strip()
        elif known := _context_piece(piece):
            context |= known
            label = rest.strip() if word.lower().rstrip(":") == "agent" else label
        elif match := _FIGURE.fullmatch(piece):
            found.append(
                _figure(match["split"], match["mean"], match["spread"], match["n"], source)
            )
        else:
            raise UsageError(
                f"{source}: expected a figure or a field, found {printable(piece)[:100]!r}.",
                _REMEDY,
            )
    return _claim(Claim(label or "claim", tuple(found), seeds, spread, context, source))


_REMEDY: Final = f'Write it as: mle-audit vet --claim "{FORM}"'


def read_claims(path: Path) -> ClaimTable:
    """Read published rows from a CSV; a row that cannot be read is named and the others are kept.

    Columns: ``agent``, one per split (``low``, ``medium``, ``high``, ``all`` or your own) with its
    ± beside it (``low_pm``) or in the cell, ``seeds``, ``n_<split>``, ``spread``, and the fields of
    `CONTEXT`. Others are named and not read.

    Raises
    ------
    UsageError
        When the file cannot be read, or has no column of figures.
    """
    try:
        if path.stat().st_size > MAX_TABLE_BYTES:
            raise UsageError(f"{path}: expected a table of published rows, found a huge file.")
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, restkey="", restval="")
            head = [str(c).strip().lower() for c in reader.fieldnames or ()]
            columns = dict(zip(head, reader.fieldnames or (), strict=True))
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: no table of published rows can be read: {error}.") from error
    splits = [c for c in columns if _is_split(c, columns)]
    if not splits:
        raise UsageError(
            f"{path}: expected columns such as agent, low, low_pm, all, all_pm, seeds; found "
            f"{', '.join(columns) or 'none'}.",
            _REMEDY,
        )
    read, faults = _known_columns(splits), []
    if twice := [c for c in head if c in read and head.count(c) > 1]:
        raise UsageError(f"{path}: the column {twice[0]} stands there twice.")
    if unread := sorted(set(columns) - read):
        faults.append(f"{path.name}: columns not read: {', '.join(unread)}")
    claims: list[Claim] = []
    for number, row in enumerate(rows, start=1):
        cells = {name: str(row[column] or "").strip() for name, column in columns.items()}
        try:
            if row.get(""):
                raise UsageError(f"{path.name}, row {number}: it has more cells than the header.")
            claims.append(_row(cells, splits, f"{path.name}, row {number}"))
        except UsageError as error:
            faults.append(error.problem)
    return ClaimTable(tuple(claims), tuple(faults))


def named_apart(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Give claims that have one label their model, date or place in addition."""
    found = list(claims)
    for name in ("model", "date", ""):
        counts = Counter(c.label for c in found)
        found = [
            replace(c, label=f"{c.label}, {c.context.get(name, '') if name else c.source}")
            if counts[c.label] > 1 and (c.context.get(name) or not name)
            else c
            for c in found
        ]
    return tuple(found)


def _row(cells: Mapping[str, str], splits: Iterable[str], source: str) -> Claim:
    found = []
    for split in splits:
        if cells[split].lower() in _EMPTY:
            continue
        match = _CELL.fullmatch(cells[split])
        if match is None:
            raise UsageError(f"{source}: {split}: expected a number, found {cells[split]!r}.")
        spread = cells.get(f"{split}_pm", "") or match[2]
        spread = None if spread is None or spread.lower() in _EMPTY else spread
        if spread is not None and not re.fullmatch(_NUMBER, spread):
            raise UsageError(f"{source}: {split}_pm: expected a number, found {spread!r}.")
        found.append(_figure(split, match[1], spread, cells.get(f"n_{split}") or None, source))
    context = {
        name: cells[word]
        for name, words in CONTEXT.items()
        for word in words
        if cells.get(word, "").lower() not in _EMPTY
    }
    if cells.get("date"):
        context["date"] = cells["date"]
    seeds = _seeds(cells["seeds"], source) if cells.get("seeds") else None
    label = cells.get("agent") or source
    claim = Claim(label, tuple(found), seeds, cells.get("spread") or None, context, source)
    return _claim(claim)


def _claim(claim: Claim) -> Claim:
    """Refuse a row without figures, or with two of one split."""
    if not claim.figures:
        raise UsageError(f"{claim.source}: there is no figure in it.", _REMEDY)
    twice = [s for s, n in Counter(f.split for f in claim.figures).items() if n > 1]
    if twice:
        raise UsageError(f"{claim.source}: {twice[0]} is named twice.", _REMEDY)
    return claim


def _figure(
    split: str, mean: str, spread: str | None, n_tasks: str | None, source: str
) -> ClaimedFigure:
    name = " ".join(split.lower().split())
    name = _ALIASES.get(name, name)
    if float(mean) > 100:  # noqa: PLR2004 - a spread may be larger
        raise UsageError(f"{source}: {name}: expected per cent, found {mean}.", _REMEDY)
    if n_tasks is not None and not (n_tasks.isdecimal() and 0 < int(n_tasks) <= MAX_SEEDS):
        raise UsageError(f"{source}: n of {name}: expected how many tasks, found {n_tasks!r}.")
    n = int(n_tasks) if n_tasks else len(split_tasks(name)) or None
    return ClaimedFigure(name, Printed(mean), Printed(spread) if spread else None, n)


def _seeds(text: str, source: str) -> int:
    if not (text.isdecimal() and 0 < int(text) <= MAX_SEEDS):
        raise UsageError(f"{source}: expected a number of seeds, found {text!r}.")
    return int(text)


def _context_piece(piece: str) -> dict[str, str]:
    """Read ``<field> <text>``; the longest name of a field wins."""
    names = sorted(((w, n) for n, ws in CONTEXT.items() for w in ws), key=lambda x: -len(x[0]))
    for word, name in (*names, ("date", "date")):
        if match := re.fullmatch(rf"{re.escape(word)}\s*[: =]\s*(.+)", piece, re.I):
            return {name: match[1].strip()}
    return {}


def _is_split(column: str, columns: Iterable[str]) -> bool:
    return bool(split_tasks(_ALIASES.get(column, column))) or f"{column}_pm" in columns


def _known_columns(splits: Iterable[str]) -> set[str]:
    own = {f"{split}_pm" for split in splits} | {f"n_{split}" for split in splits} | set(splits)
    return own | {"agent", "date", "seeds", "spread"} | {w for ws in CONTEXT.values() for w in ws}
