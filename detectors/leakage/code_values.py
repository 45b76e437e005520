"""What a name of training code may hold: rows of which part, and what was worked out of which.

Rows are told by where they were read and by the splits that they went through since. What was
fitted on some rows marks everything that it is put into; the mark keeps the rows it was fitted on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain, takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Sequence

FOLDED = re.compile(r"^\w*(?:Fold|ShuffleSplit|Out)@|^split@")  # names of splits into folds
MAX_ROWS = 12  # parts that one value may be of
MAX_MARKS = 48  # things worked out that one value may hold
MAX_PATH = 10  # splits that one row may have gone through
MAX_ITEMS = 24  # elements of a list that are told apart
MAX_LEVELS = 3  # lists within lists whose elements are told apart
MAX_NAMES = 400  # texts of one list
MAX_UNROLLED = 8  # elements that a loop goes through one by one


class Kind(StrEnum):
    """What was worked out of rows."""

    STATISTIC = "a statistic or a transformation"
    TARGET = "an encoding by the target"
    GROUPED = "a statistic per group"  # an encoding by the target where it is one of the target
    SELECTION = "a choice of columns by the target"
    CORRELATION = "correlations"  # a choice by the target where they are those with the target
    RESAMPLING = "copies of rows, or new ones between them"


class Place(NamedTuple):
    """Lines of a unit of code; `unit` counts the units of a program."""

    unit: int
    first: int
    last: int


class Side(NamedTuple):
    """One side of one split.

    Parameters
    ----------
    split : str
        Which; those that begin with ``mask`` are conditions and not made to hold rows out.
    """

    split: str
    side: str


class Part(NamedTuple):
    """Rows: where they come from, and the sides of the splits they went through."""

    root: str
    path: tuple[Side, ...] = ()


class Mark(NamedTuple):
    """Something worked out of rows, by the code at a place.

    Parameters
    ----------
    column : str
        The column that a statistic is of, where one is named.
    """

    kind: Kind
    rows: frozenset[Part]
    name: str
    place: Place
    column: str = ""


@dataclass(eq=False)
class Tool:
    """A transformer, encoder, selector or resampler; `kind` is None for one that learns nothing."""

    name: str
    kind: Kind | None
    learnt: frozenset[Mark] = frozenset()


@dataclass(eq=False)
class Model:
    """Something that is trained.

    Parameters
    ----------
    rows : frozenset of Part
        What it was trained on last.
    stops : frozenset of Part
        What told it when to stop.
    """

    name: str
    place: Place
    is_search: bool = False
    stops_early: bool = False
    rows: frozenset[Part] = frozenset()
    stops: frozenset[Part] = frozenset()


@dataclass(eq=False)
class Prediction:
    """What a model said of rows, with what that model knew when it said it."""

    trained: frozenset[Part]
    stops: frozenset[Part]


@dataclass(eq=False)
class Splitter:
    """An object that makes folds."""

    name: str
    place: Place
    is_grouped: bool = False


@dataclass(frozen=True)
class Folds:
    """What a splitter gives: pairs of row numbers."""

    split: str


@dataclass(frozen=True)
class Index:
    """Row numbers of one side of a split."""

    side: Side


@dataclass(frozen=True)
class RowNames:
    """The index of a table: which rows it has."""

    rows: tuple[Part, ...]


@dataclass(frozen=True)
class Groups:
    """Rows put into groups."""


@dataclass(frozen=True)
class ByRow:
    """Each row on its own, as a function gets it from ``apply``."""


@dataclass(frozen=True)
class Pending:
    """A column that is named, of a table that is not said yet."""


@dataclass(frozen=True)
class Scored:
    """A figure that comes of rows."""

    rows: frozenset[Part]


@dataclass(frozen=True)
class Stopper:
    """What tells a training when to stop."""


@dataclass(eq=False)
class Own:
    """A function, or a class with its methods, of the code itself."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
    unit: int
    scope: tuple[dict[str, Value], ...]
    methods: dict[str, Own] = field(default_factory=dict)


@dataclass(frozen=True)
class Instance:
    """An object of a class of the code itself."""

    of: Own


Thing = object
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression may be.

    Parameters
    ----------
    rows : tuple of Part
        Empty for what holds no rows.
    marks : frozenset of (str, Mark)
        What was worked out and put in, by the column that holds it; empty where that is not known.
    things : frozenset
        Tools, models, splitters, functions that it may be.
    items : tuple of Value or None
        The elements of a list whose elements are known.
    names : tuple of str
        Texts that it is: a name, or a list of names.
    column : str
        The name of the one column it is.
    dotted : str
        The name of what was imported.
    origin : str
        The name that it was read from.
    is_list : bool
        A list of names, not a single one.
    """

    rows: tuple[Part, ...] = ()
    marks: frozenset[tuple[str, Mark]] = frozenset()
    things: frozenset[Thing] = frozenset()
    items: tuple[Value, ...] | None = None
    names: tuple[str, ...] = ()
    column: str = ""
    dotted: str = ""
    origin: str = ""
    is_list: bool = False

    def all_of(self, kind: type[_T]) -> list[_T]:
        """Return the things of a kind that it may be."""
        return [t for t in self.things if isinstance(t, kind)]

    @property
    def as_rows(self) -> Value:
        """What it is as rows alone."""
        return Value(self.rows, self.marks, column=self.column)


NOTHING = Value()


def _unique(rows: Iterable[Part]) -> tuple[Part, ...]:
    return tuple(dict.fromkeys(rows))[:MAX_ROWS]


def _bounded(marks: frozenset[tuple[str, Mark]]) -> frozenset[tuple[str, Mark]]:
    if len(marks) <= MAX_MARKS:
        return marks
    return frozenset(sorted(marks, key=lambda m: (m[1].place, m[1].kind, m[0]))[:MAX_MARKS])


def union(values: Iterable[Value]) -> Value:
    """Return what holds all of some values."""
    several = [v for v in values if v is not NOTHING]
    if len(several) <= 1:
        return (
            replace(several[0], items=None, names=(), dotted="", origin="") if several else NOTHING
        )
    columns = {v.column for v in several if v.rows}
    return Value(
        _unique(chain.from_iterable(v.rows for v in several)),
        _bounded(frozenset().union(*(v.marks for v in several))),
        frozenset().union(*(v.things for v in several)),
        column=columns.pop() if len(columns) == 1 else "",
    )


def join(one: Value, other: Value) -> Value:
    """Return what is one of two values, as after a branch."""
    if one is other or one == other or other is NOTHING:
        return one
    if one is NOTHING:
        return other
    both = union((one, other))
    both = replace(both, rows=_narrowest(both.rows))
    pairs = list(zip(one.items or (), other.items or (), strict=False))
    same = one.items is not None and other.items is not None and len(one.items) == len(other.items)
    return replace(
        both,
        items=tuple(join(a, b) for a, b in pairs) if same else None,
        names=tuple(dict.fromkeys(one.names + other.names))[:MAX_NAMES],
        is_list=one.is_list or other.is_list,
        dotted=one.dotted if one.dotted == other.dotted else "",
        things=frozenset(list(both.things)[:MAX_ITEMS]),
    )


def _narrowest(rows: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out what holds another: after a branch it is one of them, and not known which."""
    return tuple(r for r in rows if not any(o != r and covers([r], o) for o in rows))


def listed(items: Sequence[Value], levels: int = MAX_LEVELS) -> tuple[Value, ...] | None:
    """Return the elements of a list; None where there are too many, or it is nested too deeply."""
    if len(items) > MAX_ITEMS or not levels:
        return None
    return tuple(
        i if i.items is None else replace(i, items=listed(i.items, levels - 1)) for i in items
    )


def settled(value: Value) -> Value:
    """Return rows as a table or a column again, whatever they were put together from."""
    by_row = value.all_of(ByRow)
    return replace(value, things=value.things - frozenset(by_row)) if by_row else value


def sided(value: Value, side: Side) -> Value:
    """Return one side of a split of rows; of one that they went through, as in a loop, again."""
    rows = _unique(_on_side(p, side) for p in value.rows)
    items = tuple(sided(i, side) for i in value.items) if value.items is not None else None
    return replace(value, rows=rows, items=items, things=frozenset(), origin="")


def _on_side(part: Part, side: Side) -> Part:
    before = tuple(takewhile(lambda s: s.split != side.split, part.path))
    return part if len(before) >= MAX_PATH else Part(part.root, (*before, side))


def cut(value: Value, bound: str, side: str) -> Value:
    """Return the rows before or after a bound; of parts put together, the first or those behind.

    Parameters
    ----------
    side : {"0", "1", "between"}
        Before the bound, behind it, or between two.
    """
    if len(value.rows) > 1:
        chosen = {"0": value.rows[:1], "1": value.rows[1:], "between": value.rows[1:2]}[side]
        return replace(value, rows=chosen, items=None, things=frozenset(), origin="")
    return sided(value, Side(f"cut {bound}", "1" if side == "between" else side))


def gathered(value: Value) -> Value:
    """Return all rows where those held out by one fold are gathered, fold by fold."""
    rows = _unique(_unfolded(p) for p in value.rows)
    return value if rows == value.rows else replace(value, rows=rows)


def _unfolded(part: Part) -> Part:
    last = part.path[-1] if part.path else None
    is_fold = last is not None and last.side == "1" and FOLDED.search(last.split) is not None
    return Part(part.root, part.path[:-1]) if is_fold else part


def marked(value: Value, marks: Iterable[Mark], column: str = "") -> Value:
    """Return a value with more put into it."""
    more = frozenset((column, m) for m in marks)
    return replace(value, marks=_bounded(value.marks | more)) if more - value.marks else value


def spread(value: Value) -> frozenset[Mark]:
    """Return the marks of a value, whatever column holds them."""
    return frozenset(m for _, m in value.marks)


def covers(rows: Iterable[Part], part: Part) -> bool:
    """Say whether some rows surely hold all of a part.

    Examples
    --------
    >>> covers([Part("a")], Part("a", (Side("s", "1"),)))
    True
    >>> covers([Part("a", (Side("s", "0"),))], Part("a", (Side("s", "1"),)))
    False
    """
    return any(r.root == part.root and part.path[: len(r.path)] == r.path for r in rows)


def parting(one: Part, other: Part) -> Side | None:
    """Return the side of `other` at the split that parts two parts; None where none does."""
    if one.root != other.root:
        return None
    pairs = list(zip(one.path, other.path, strict=False))
    n_same = len(list(takewhile(lambda both: both[0] == both[1], pairs)))
    if n_same == len(pairs) or pairs[n_same][0].split != pairs[n_same][1].split:
        return None
    return pairs[n_same][1]


def unmixed(value: Value) -> Value:
    """Return a value without its rows where those are of both sides of a split.

    Of a list that mixes them, or a function that is not followed, it is not known who has which.
    """
    is_mixed = any(parting(p, q) for p in value.rows for q in value.rows)
    return Value(things=value.things) if is_mixed else value
