"""Names and addresses that authors write into their code: marks of origin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reports.schema import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_MARKS = 200  # of one document
_AUTHOR = re.compile(
    r"""^[^\n]{0,20}?(?:__author__\s{0,4}=|@author\b|\b[aA]uthors?\s{0,4}:|\b[cC]reated\s{1,4}by\b)
    [\s:=]{0,4}[\["'(]{0,3}\s{0,4}(?P<name>[^\n"'\])]{2,80})""",
    re.MULTILINE | re.VERBOSE,
)
_ADDRESS = re.compile(
    r"\b(?P<host>kaggle\.com|gist\.github\.com|github\.com|raw\.githubusercontent\.com"
    r"|gist\.githubusercontent\.com)/(?P<path>[\w.@~/-]{2,200})",
    re.IGNORECASE,
)
# Pages of Kaggle that are nobody's: competitions, data sets, help.
_KAGGLE_PAGES = frozenset(
    re.findall(
        r"\S+",
        """c competitions datasets data learn docs kernels notebooks discussion discussions general
    forums getting-started product-feedback questions-and-answers about blog wiki host jobs models
    organizations rankings progression search settings work static images account me team terms
    privacy contact community-competitions faq inclass input requirements api sh""",
    )
)
_GITHUB_PAGES = frozenset({"about", "features", "topics", "search", "orgs", "settings", "login"})


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
    if "uthor" in code or "reated" in code:
        for match in _AUTHOR.finditer(code):
            name = " ".join(match["name"].split()).strip(" .,;:-*#<>")
            if any(c.isalpha() for c in name):
                yield match.start("name"), "author", name
    if "aggle.com" in code or "ithub" in code or "AGGLE.COM" in code:
        for match in _ADDRESS.finditer(code):
            value = _owner(match["host"].lower(), match["path"].lower())
            if value:
                yield match.start(), "address", value


def _owner(host: str, path: str) -> str | None:
    """Cut an address to whose page it is; None for pages that are nobody's."""
    parts = [part.rstrip(".") for part in path.split("/") if part.rstrip(".")]
    if host == "kaggle.com":
        if parts[:1] in (["code"], ["scripts"]):
            parts = parts[1:]
        if not parts or parts[0].lstrip("@") in _KAGGLE_PAGES:
            return None
        return "/".join(["kaggle.com", *parts[:2]])
    gist = host.startswith("gist.")
    if not parts[1:] or parts[0] in _GITHUB_PAGES:
        return None
    return "/".join(["gist.github.com" if gist else "github.com", *parts[:2]]).removesuffix(".git")
