"""Which hidden places programs in other languages than Python and the shell reach for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.call import Call
from detectors.other_calls import ASSIGNED, other_calls
from detectors.rules.hidden_places import Place, Reach, hidden_place
from detectors.rules.other_clients import SAYS
from detectors.rules.other_tampering import RUNS
from detectors.rules.places import call_places, shell_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.other_calls import OtherCall

_LISTS = re.compile(  # whatever goes over folders, as `os.walk` does
    r"(?:^|\.)(?:list\.files|dir_ls|dir_walk|walkdir|readdir\w*|Walk\w*|WalkDir|rdir|Dir\.glob|"
    r"Sys\.glob|glob\w*|find|list_files|readDir|globSync)$"
)
_MAKES = re.compile(r"(?:^|\.)(?:gsub|sub|replace\w*|str_replace\w*|sprintf|preg_replace)$")
_WRITES = re.compile(
    r"(?:^|\.)(?:write\w*(?:\.\w+)?|save\w*|fwrite|dir\.create|mkdir\w*|MkdirAll|writeFile\w*|WriteFile|"
    r"Create|to|outfile|touch|require|library|import)$"
)
_CHECKS = re.compile(r"(?:^|\.)(?:exists\w*|file\.exists|isfile|isdir|existsSync|stopifnot)$")
_CHECKED = r"(?:exists\w*|isfile|isdir|stopifnot|-[edfr])\s?\(?\s?!?"


def other_places(text: str, suffix: str, depth: int = 0) -> Iterator[tuple[int, Place]]:
    """Judge a program of another language; yields the line in it and the place.

    What is printed, compared or only checked for is no reach, nor is a path that nothing uses.

    Parameters
    ----------
    suffix : str
        Of its file, which tells the language.
    """
    found = other_calls(text, suffix)
    own = _own(found)
    for call in found:
        for place in dict.fromkeys(_places(call, text, own, depth)):
            yield call.first_line, place


def _own(found: Iterable[OtherCall]) -> frozenset[str]:
    """Return what a program writes; what it read before was there."""
    own: set[str] = set()
    read: set[str] = set()
    for call in found:
        if _WRITES.search(call.name):
            own |= set(call.strings) - read
        elif call.name != ASSIGNED and not _CHECKS.search(call.name):
            read |= set(call.strings)
    return frozenset(own)


def _places(call: OtherCall, text: str, own: frozenset[str], depth: int) -> Iterator[Place]:
    if call.name == ASSIGNED:
        if _is_used(next(iter(call.keys), ""), text):
            found = (hidden_place(s, own) for s in call.strings if "\n" not in s)
            yield from (p for p in found if p and p.reach is Reach.ANSWERS)
        return
    if RUNS.search(call.name):
        yield from (place for _, place in shell_places(" ".join(call.strings), depth + 1))
    if _MAKES.search(call.name):
        yield from call_places(_as_call(call, "?.replace"), own)
    elif _LISTS.search(call.name):
        yield from call_places(_as_call(call, "os.walk"), own)
    elif not any(form.search(call.name) for form in (SAYS, _WRITES, _CHECKS)):
        yield from call_places(_as_call(call, call.name), own)


def _as_call(call: OtherCall, name: str) -> Call:
    return Call(name, call.strings, call.first_line, call.last_line)


def _is_used(name: str, text: str) -> bool:
    """Say whether a name stands in the text again after it was set, and not only to be checked."""
    form = rf"(?<!\w){re.escape(name)}(?!\w)"
    checks = len(re.findall(rf"{_CHECKED}\$?{form}", text)) if name else 0
    return bool(name) and len(re.findall(form, text)) - checks > 1
