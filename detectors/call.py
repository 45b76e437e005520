"""One call in an attempt's Python code."""

from __future__ import annotations

from typing import NamedTuple

TOO_MUCH = "!too-much"  # name of the call that says a unit was not followed to its end
NOT_WHOLE = "!not-whole"  # and of one that says it was parsed line by line


class Call(NamedTuple):
    """One call and the strings that reach it.

    Parameters
    ----------
    name : str
        Dotted name of the callee, ``?.read_text`` for a method of something not named.
    strings : tuple of str
        Receiver first, then every argument that folds to text (lists are spread).
    around : str
        Literal words of the loop the call drives, and those the file compares with: what it
        looks for.
    has_receiver : bool
        True when the first of `strings` is what the method was called on.
    guarded : bool
        True inside a function that raises when a condition on such words holds.
    """

    name: str
    strings: tuple[str, ...]
    first_line: int
    last_line: int
    around: str = ""
    guarded: bool = False
    has_receiver: bool = False
