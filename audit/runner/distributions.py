"""Which installed distributions a list of requirements needs, and copies of them by hard link."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from packaging.requirements import Requirement

_OURS = "mle-audit"


def closure(requirements: Sequence[str]) -> list[Distribution] | None:
    """Return the installed distributions that satisfy these requirements, with all they need.

    Returns
    -------
    list of Distribution or None
        Sorted by name. None when one is missing, has another version, has no list of its files
        (an editable install has none), or is mle-audit itself: then only pip can help.
    """
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    waiting = [Requirement(text) for text in requirements]
    done: set[tuple[str, frozenset[str]]] = set()
    found: dict[str, Distribution] = {}
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (name, frozenset(wanted.extras)) in done:
            continue
        part = _installed(wanted)
        if part is None or name == _OURS:
            return None
        done.add((name, frozenset(wanted.extras)))
        found[name] = part
        waiting += _needs(part, wanted.extras)
    return [found[name] for name in sorted(found)]


def _installed(wanted: Requirement) -> Distribution | None:
    try:
        part = distribution(wanted.name)
    except PackageNotFoundError:
        return None
    fits = wanted.url is None and wanted.specifier.contains(part.version, prereleases=True)
    editable = '"editable": true' in (part.read_text("direct_url.json") or "")
    return part if fits and part.files and not editable else None


def _needs(part: Distribution, extras: set[str]) -> list[Requirement]:
    """List what a distribution requires here, with these of its extras."""
    from packaging.requirements import Requirement

    needs = [Requirement(text) for text in part.requires or ()]
    worlds = [{"extra": extra} for extra in extras] or [{"extra": ""}]
    return [n for n in needs if n.marker is None or any(n.marker.evaluate(w) for w in worlds)]


def link_distribution(
    part: Distribution, prefix: Path, target: Path, leave_out: Callable[[str], bool]
) -> None:
    """Lay a distribution's files into another environment of the same Python.

    Parameters
    ----------
    prefix : Path
        The environment it is installed in; files outside of it are left out.
    target : Path
        The environment that receives it.
    leave_out : callable
        Told each path relative to the environment; True leaves the file out.
    """
    root = Path(os.path.realpath(prefix))
    for file in part.files or ():
        source = Path(os.path.realpath(str(part.locate_file(file))))
        if not source.is_file() or not source.is_relative_to(root):
            continue
        inside = source.relative_to(root)
        if leave_out(inside.as_posix()):
            continue
        destination = target / inside
        destination.parent.mkdir(parents=True, exist_ok=True)
        _link(source, destination)


def _link(source: Path, destination: Path) -> None:
    if destination.exists():  # two distributions may own one file, as namespace packages do
        return
    try:
        os.link(source, destination)
    except OSError:  # another file system, or one without hard links
        shutil.copy2(source, destination)
