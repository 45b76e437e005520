"""Which paths a shell command writes to, moves or takes away."""

from __future__ import annotations

import itertools
import posixpath
import re
from typing import TYPE_CHECKING

from detectors.rules.harness_places import absolute

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALL_ARGUMENTS = frozenset(
    {"rm", "unlink", "shred", "rmdir", "mv", "tee", "truncate", "srm", "chattr", "patch", "touch",
     "sponge", "wipe"}
)  # fmt: skip
_EDITORS = frozenset({"ex", "ed", "fallocate"})
_TAKES_MODE = re.compile(r"(?:^| )-[rwxXst]{1,3} ")  # chmod -x FILE: no option
_SAVES = {
    "dd": re.compile(r"of="),
    "curl": re.compile(r"-\w*o$|--output(?:=|$)"),
    "wget": re.compile(r"-\w*O$|--output-document(?:=|$)"),
}
_MOUNTS = frozenset({"mount", "umount"})
_LAST_ARGUMENT = frozenset({"cp", "install", "rsync", "ln", "scp"})
_AFTER_FIRST = frozenset({"chmod", "chown", "chgrp", "setfacl"})
UNPACKS = frozenset({"unzip", "tar", "7z", "gunzip", "bunzip2", "unxz", "bsdtar"})
_IN_PLACE = re.compile(r"^-\w*i|^--in-place")
_OPTION_VALUES = {"-s", "-t", "-d", "-r", "--size", "--target-directory", "--date", "--reference"}


def targets(name: str, command: tuple[str, ...]) -> Iterator[str]:
    """Yield the paths that a command writes to, moves or takes away."""
    words = list(command[1:])
    for index, word in enumerate(words[:-1]):
        if word in {">", ">>", ">|", "&>", ">&"} and not words[index + 1].isdigit():
            yield words[index + 1]
    cut = next(
        (i for i, w in enumerate(words) if w in {">", ">>", "<", "<<<", ">|", "&>"}), len(words)
    )
    words = words[:cut]
    given = [
        w
        for w, before in zip(words, ("", *words), strict=False)
        if not w.startswith("-")
        and (before not in _OPTION_VALUES or name not in {"truncate", "touch"})
    ]
    in_place = name in {"sed", "perl", "yq", "gawk"} and any(_IN_PLACE.match(w) for w in words)
    if in_place and not {"-e", "-f"} & set(words):
        given = given[1:]  # the first one is the script
    if name in _ALL_ARGUMENTS or in_place:
        yield from given
    elif name in _LAST_ARGUMENT:
        yield from _copied_to(words, given)
    elif name in _AFTER_FIRST:
        yield from given[not _TAKES_MODE.search(" ".join(words)) :]
    elif name in _MOUNTS or name in _EDITORS:
        yield from given[-1:]
    elif name in _SAVES:
        yield from _saved_to(_SAVES[name], words)
    elif name in UNPACKS:
        yield from _unpacked_to(name, words, given)


def _saved_to(option: re.Pattern[str], words: list[str]) -> Iterator[str]:
    """Yield what stands behind an option that names the output, or within it."""
    for word, following in itertools.pairwise([*words, ""]):
        if found := option.match(word):
            yield word[found.end() :] or following


def _copied_to(words: list[str], given: list[str]) -> Iterator[str]:
    """Yield where copies go; into a folder they keep their names."""
    if "-t" in words:
        into = words[words.index("-t") + 1 :][:1]
        given = [*(g for g in given if g not in into), *into]
    if len(given) < 2:  # noqa: PLR2004 - what and where to
        return
    target = given[-1]
    folder = (absolute(target) or "").rstrip("/")
    if folder in {"/home/data", "/home/agent"}:
        yield from (f"{folder}/{posixpath.basename(g.rstrip('/'))}" for g in given[:-1])
    else:
        yield target


def _unpacked_to(name: str, words: list[str], given: list[str]) -> Iterator[str]:
    """Yield where an archive is unpacked."""
    into = {"unzip": "-d", "tar": "-C", "bsdtar": "-C"}.get(name)
    if into and into in words:
        yield from words[words.index(into) + 1 :][:1]
    elif name in {"gunzip", "bunzip2", "unxz"} and not {"-c", "--stdout"} & set(words):
        yield from given
    elif name not in {"tar", "bsdtar"} or any("x" in w for w in words[:1]):
        yield "."
