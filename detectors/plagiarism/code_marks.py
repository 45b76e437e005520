"""Names and addresses that authors write into their code: marks of origin."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from reports.provenance import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_MARKS = 200  # of one document
# Each begins with letters of its own, which is fast; what stands before them is looked at after.
_NAME = r"""[ \t:=]{0,4}[\["'(]{0,3}[ \t]{0,4}(?P<name>[^\n"'\])]{2,80})"""
_AUTHORS = (
    re.compile(rf"uthor(?:__[ \t]{{0,4}}=|s?[ \t]{{0,4}}:|(?<=@author)\b){_NAME}"),
    re.compile(rf"reated[ \t]{{1,4}}by\b{_NAME}"),
)
_MAX_BEFORE = 40
_BEFORE = re.compile(r"""[ \t#*"'/;%@_-]*+(?:[A-Za-z]+ ){0,2}[@_aAcC]{0,3}""")  # on its line
_OF_DATA = re.compile(r"\b(?:data|sets?|tables?|books?|papers?|quotes?)\b", re.IGNORECASE)
_KAGGLE = re.compile(r"aggle\.com/(?P<path>[\w.@~/-]{2,200})")
_GITHUB = re.compile(r"ithub(?:usercontent)?\.com/(?P<path>[\w.@~/-]{2,200})")
_GIST = re.compile(r"gist\.[gG]$")
# Pages of Kaggle that are nobody's, and Kaggle's own at GitHub, which its template cell names.
_KAGGLE_PAGES = frozenset(
    re.findall(
        r"\S+",
        """c competitions datasets data learn docs kernels notebooks discussion discussions general
    forums getting-started product-feedback questions-and-answers about blog wiki host jobs models
    organizations rankings progression search settings work static images account me team terms
    privacy contact community-competitions faq inclass input requirements api sh""",
    )
)
_GITHUB_PAGES = frozenset(
    {"kaggle", "about", "features", "topics", "search", "orgs", "settings", "login"}
)


def code_marks(code: str) -> tuple[Mark, ...]:
    """Return author strings and addresses of people's pages in code, each once, with its line.

    Addresses are cut to whose they are: ``kaggle.com/user/notebook``, ``github.com/user/repo``.

    Examples
    --------
    >>> [m.value for m in code_marks("# https://www.kaggle.com/code/Jane/eda?x=1")]
    ['kaggle.com/jane/eda']
    """
    found: dict[tuple[str, str], Mark] = {}
    line, last = 1, 0
    for at, what, value in sorted(_found(code)):
        line, last = line + code.count("\n", last, at), at
        if (what, value) not in found:
            found[what, value] = Mark(what=what, value=value, first_line=line)
            if len(found) >= _MAX_MARKS:
                break
    return tuple(found.values())


def _found(code: str) -> Iterator[tuple[int, str, str]]:
    for match in chain.from_iterable(author.finditer(code) for author in _AUTHORS):
        at = match.start()
        before = code[max(0, at - _MAX_BEFORE) : at].rpartition("\n")
        name = " ".join(match["name"].split()).strip(" .,;:-*#<>")
        is_whole = before[1] or at <= _MAX_BEFORE
        is_sure = match.group().startswith("uthor__") or before[2].endswith("@a")
        is_name = any(c.isalpha() if is_sure else c.isupper() for c in name)
        is_own = _BEFORE.fullmatch(before[2]) and not _OF_DATA.search(before[2])
        if is_whole and is_name and is_own:
            yield at, "author", name
    for match in _KAGGLE.finditer(code):
        if value := _of_kaggle(_parts(match["path"])):
            yield match.start(), "address", value
    for match in _GITHUB.finditer(code):
        at = match.start()
        is_gist = _GIST.search(code, max(0, at - 6), at)
        parts = _parts(match["path"])
        if parts[1:] and parts[0] not in _GITHUB_PAGES:
            host = "gist.github.com" if is_gist else "github.com"
            yield at, "address", "/".join([host, *parts[:2]]).removesuffix(".git")


def _parts(path: str) -> list[str]:
    return [part for part in (p.rstrip(".") for p in path.lower().split("/")) if part]


def _of_kaggle(parts: list[str]) -> str | None:
    """Cut an address to whose page it is; None for pages that are nobody's."""
    if parts[:1] in (["code"], ["scripts"]):
        parts = parts[1:]
    if not parts or parts[0].lstrip("@") in _KAGGLE_PAGES:
        return None
    return "/".join(["kaggle.com", *parts[:2]])
