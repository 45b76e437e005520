"""What code says without the tokens that change nothing, which a copy can hold at every place.

Left out are brackets that only group, commas before a closing bracket, semicolons, statements that
are one name or value (documentation strings among them), and what says of which type something is.
Every way of writing these is one to whoever compares, at the price of a few differences that mean
something: ``a * (b + c)`` is written as ``a * b + c``.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kinds = NDArray[np.uint32]
    Flags = NDArray[np.bool_]
    Places = NDArray[np.int64]


def kind_of(what: str) -> int:
    """Return the number that stands for a keyword, an operator or a class of tokens.

    Examples
    --------
    >>> kind_of("while") == kind_of("while") != kind_of("for")
    True
    """
    return zlib.crc32(what.encode("utf-8", "surrogatepass")) or 1


def role_of(what: str) -> int:
    """Return the roles that a kind can have here, one bit each."""
    return sum(bit for bit, kinds in _ROLES.items() if what in kinds)


NAME, NUMBER, STRING = "a name", "a number", "a string"
_OPENS, _CLOSES, _CALLED, _ALONE = 1, 2, 4, 8
_ROLES = {
    _OPENS: ("(", "[", "{"),
    _CLOSES: (")", "]", "}"),
    _CALLED: (NAME, STRING, ")", "]", "}"),  # a round bracket after one of these is a call
    _ALONE: (NAME, NUMBER, STRING),
}
_ROUND, _ROUND_END, _COMMA, _SEMICOLON, _COLON, _EQUALS, _ARROW, _DEF, _NAME = np.array(
    [kind_of(w) for w in ("(", ")", ",", ";", ":", "=", "->", "def", NAME)], np.uint32
)


_NONE = np.empty(0, np.int64)


class _Row(NamedTuple):
    """Tokens with their brackets.

    Parameters
    ----------
    opens, closes : ndarray of bool, shape (n,)
    depths : ndarray of int64, shape (n,)
        Brackets open before each token; those that close nothing do not count.
    partners : ndarray of int64, shape (n,)
        Place of the bracket that closes or opens this one; -1 for all else.
    starts : ndarray of bool, shape (n,)
        Whether a statement begins there: on a new line or after a semicolon, with no bracket open.
    """

    kinds: Kinds
    roles: NDArray[np.uint8]
    opens: Flags
    closes: Flags
    depths: Places
    partners: Places
    starts: Flags


def counted(
    kinds: Kinds, lines: NDArray[np.int32], roles: NDArray[np.uint8], *, is_python: bool
) -> tuple[Flags, Flags]:
    """Say which tokens count, and which begin a statement.

    Parameters
    ----------
    kinds, lines : ndarray, shape (n,)
        As in `lexer.Tokens`, nothing left out but comments.
    roles : ndarray of uint8, shape (n,)
        See `role_of`.
    is_python : bool
        Whether what follows a colon or an arrow may say of which type something is.

    Returns
    -------
    tuple of ndarray of bool, shape (n,)
    """
    if not len(kinds):
        return np.empty(0, bool), np.empty(0, bool)
    row = _row(kinds, lines, roles)
    left_out = (kinds == _SEMICOLON) | _grouping(row)
    left_out[:-1] |= (kinds[:-1] == _COMMA) & row.closes[1:]
    if is_python:
        _leave_out_annotations(row, left_out)
    firsts = row.starts.nonzero()[0]
    single = np.add.reduceat(~left_out, firsts, dtype=np.int32) == 1
    if single.any():
        sizes = np.diff(firsts, append=len(kinds))
        left_out |= single.repeat(sizes) & ((roles & _ALONE) != 0)
    return ~left_out, row.starts


def _row(kinds: Kinds, lines: NDArray[np.int32], roles: NDArray[np.uint8]) -> _Row:
    opens, closes = (roles & _OPENS) != 0, (roles & _CLOSES) != 0
    after = (opens.astype(np.int64) - closes).cumsum()
    lowest = np.minimum.accumulate(after)
    if lowest[-1] < 0:
        after -= np.minimum(lowest, 0)
    depths = np.zeros(len(kinds), np.int64)
    depths[1:] = after[:-1]
    starts = np.ones(len(kinds), bool)
    starts[1:] = ((lines[1:] > lines[:-1]) | (kinds[:-1] == _SEMICOLON)) & (depths[1:] == 0)
    return _Row(kinds, roles, opens, closes, depths, _partners(opens, closes, after), starts)


def _partners(opens: Flags, closes: Flags, after: Places) -> Places:
    """Return where the partner of each bracket is: the next or last one of the same depth."""
    partners = np.full(len(opens), -1)
    brackets = (opens | closes).nonzero()[0]
    levels = after[brackets] + closes[brackets]
    order = levels.argsort(kind="stable")
    places, levels = brackets[order], levels[order]
    first, second = places[:-1], places[1:]
    fit = (levels[:-1] == levels[1:]) & opens[first] & closes[second]
    partners[first[fit]], partners[second[fit]] = second[fit], first[fit]
    return partners


def _grouping(row: _Row) -> Flags:
    """Return the round brackets that call nothing and define nothing."""
    places = ((row.kinds == _ROUND) & (row.partners >= 0)).nonzero()[0]
    calls = ~row.starts[places] & ((row.roles[places - 1] & _CALLED) != 0)
    places = places[~calls & (row.kinds[row.partners[places]] == _ROUND_END)]
    found = np.zeros(len(row.kinds), bool)
    found[places] = True
    found[row.partners[places]] = True
    return found


def _leave_out_annotations(row: _Row, left_out: Flags) -> None:
    """Mark the tokens that say of which type a variable, a parameter or a result is."""
    colons = (row.kinds == _COLON).nonzero()[0]
    if not len(colons):
        return
    outer = colons[row.depths[colons] == 0]
    found = [_of_variables(row, outer), _of_parameters(row, colons), _of_results(row, outer)]
    begin, end = (np.concatenate(places) for places in zip(*found, strict=True))
    if not len(begin):
        return
    steps = np.zeros(len(row.kinds) + 1, np.int64)
    np.add.at(steps, begin, 1)
    np.add.at(steps, end, -1)
    left_out |= steps[:-1].cumsum() > 0


def _with_end(places: Places, n: int) -> Places:
    return np.concatenate((places, (n,)))


def _of_variables(row: _Row, colons: Places) -> tuple[Places, Places]:
    """Return where annotations of variables begin and end; without a value, all of a statement."""
    if not len(colons):
        return _NONE, _NONE
    n = len(row.kinds)
    firsts = _with_end(row.starts.nonzero()[0], n)
    statements = firsts.searchsorted(colons, "right") - 1
    first = np.ones(len(colons), bool)
    first[1:] = statements[1:] > statements[:-1]  # colon of its statement
    named = first & (row.kinds[firsts[statements]] == _NAME)
    colons, statements = colons[named], statements[named]
    if not len(colons):
        return _NONE, _NONE
    values = _with_end(((row.kinds == _EQUALS) & (row.depths == 0)).nonzero()[0], n)
    begins, ends = firsts[statements], firsts[statements + 1]
    before = values[values.searchsorted(begins)] > colons  # of x = lambda: y it is no type
    colons, begins, ends = colons[before], begins[before], ends[before]
    value = values[values.searchsorted(colons)]
    has_value = value < ends
    return np.where(has_value, colons, begins), np.where(has_value, value, ends)


def _of_results(row: _Row, colons: Places) -> tuple[Places, Places]:
    """Return where annotations of what a function returns begin and end."""
    n = len(row.kinds)
    arrows = ((row.kinds == _ARROW) & (row.depths == 0)).nonzero()[0]
    if not len(arrows):
        return _NONE, _NONE
    colons = _with_end(colons, n)
    ends = colons[colons.searchsorted(arrows)]
    return arrows[ends < n], ends[ends < n]


def _of_parameters(row: _Row, colons: Places) -> tuple[Places, Places]:
    """Return where annotations of parameters begin and end."""
    n = len(row.kinds)
    brackets = (row.kinds[:-2] == _DEF).nonzero()[0] + 2
    brackets = brackets[(row.kinds[brackets] == _ROUND) & (row.partners[brackets] >= 0)]
    if not len(brackets):
        return _NONE, _NONE
    levels = row.depths[brackets] + 1
    steps = np.zeros(n, np.int64)
    np.add.at(steps, brackets, levels)
    np.add.at(steps, row.partners[brackets], -levels)
    level = steps.cumsum()
    inside = (level > 0) & (row.depths == level)
    begin = colons[inside[colons]]
    ends = inside & ((row.kinds == _COMMA) | (row.kinds == _EQUALS))
    ends[row.partners[brackets]] = True
    places = _with_end(ends.nonzero()[0], n)
    end = places[places.searchsorted(begin)]
    return begin[end < n], end[end < n]
