"""What must not exist in a sandbox although it lies below a folder that is bound into it."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import RefusedError
from competitions.io import walk_files
from detectors.record import RECORD_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKAGES = ("audit", "detectors", "competitions", "reports")
_DISTRIBUTION = "mle_audit"
# Whoever brings packages to a system's Python brings their data sets too. The agent has its own.
_PACKAGE_FOLDERS = frozenset({"site-packages", "dist-packages"})
# Where answers of embedded tasks lie: in a package, or as iso-codes' translations of countries.
_WITH_DATA = {
    "babel": "locale-data",
    "share": "locale",
    "sklearn": "datasets",
    "statsmodels": "datasets",
}
_ARCHIVES = ("babel-", "scikit_learn-", "statsmodels-", f"{_DISTRIBUTION}-")


class Bind(NamedTuple):
    """A host folder or file and where it stands inside.

    What is bound for the system's sake (`is_system`) is searched for foreign packages; the agent's
    own folder and the data are taken as they are.
    """

    source: Path
    target: Path
    is_system: bool = False


class Mask(NamedTuple):
    """A place inside that is covered: a folder by an empty one, a file by an empty one."""

    target: Path
    is_folder: bool


def own_folders() -> list[Path]:
    """List where our packages lie: their folders, their metadata, and the checkout around them."""
    found: set[Path] = set()
    for package in PACKAGES:
        spec = find_spec(package)
        for text in (spec.submodule_search_locations or ()) if spec else ():
            folder = Path(os.path.realpath(text))
            found.add(folder)
            around = folder.parent
            found.update(around.glob(f"{_DISTRIBUTION}-*"))
            if around.name not in _PACKAGE_FOLDERS and (around / "pyproject.toml").is_file():
                found.add(around)
    return sorted(found)


def earlier_attempts(folder: Path) -> list[Path]:
    """List the attempts that lie in an agent's folder, wherever they were made."""
    return [path.parent for path in walk_files(folder) if path.name == RECORD_NAME]


def refuse_inside(folder: Path, place: Path, what: str, option: str) -> None:
    """Refuse a place within a folder that agents read, or within what they must not change.

    Raises
    ------
    RefusedError
        Naming the option that sets another place.
    """
    if Path(os.path.realpath(place)).is_relative_to(os.path.realpath(folder)):
        raise RefusedError(
            f"{what} in {place} would lie inside {folder}, which attempts read from.",
            f"Name another {option}, outside of it.",
        )


def masks(binds: Iterable[Bind], hidden: Iterable[Path]) -> list[Mask]:
    """Say what to cover so that nothing of `hidden` and no foreign package can be seen.

    Parameters
    ----------
    binds : iterable of Bind
        What is bound into the sandbox.
    hidden : iterable of Path
        Host folders and files. One that holds a whole bind is left alone: the bind was meant.

    Returns
    -------
    list of Mask
        None lies below another.
    """
    away = [Path(os.path.realpath(path)) for path in hidden]
    found: set[Mask] = set()
    for bind in binds:
        source = Path(os.path.realpath(bind.source))
        inside = [p for p in away if p.exists() and p != source and p.is_relative_to(source)]
        foreign = foreign_packages(source) if bind.is_system else ()
        for path in [*inside, *foreign]:
            found.add(Mask(bind.target / path.relative_to(source), path.is_dir()))
    return _outermost(found)


@cache
def foreign_packages(source: Path) -> tuple[Path, ...]:
    """List package folders, bundled data and our own archives below a folder.

    Links are not followed: what they name is in the sandbox only if it was bound itself.
    """
    return tuple(_walk(source)) if source.is_dir() else ()


def _walk(source: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(source, followlinks=False):
        here = Path(root)
        covered = {n for n in folders if n in _PACKAGE_FOLDERS}
        covered |= {_WITH_DATA.get(here.name, "")} & set(folders)
        yield from (here / name for name in sorted(covered))
        folders[:] = [n for n in folders if n not in covered]
        archives = (n for n in files if n.startswith(_ARCHIVES) and n.endswith((".whl", ".egg")))
        yield from (here / name for name in archives)


def _outermost(found: set[Mask]) -> list[Mask]:
    folders = {mask.target for mask in found if mask.is_folder}
    return sorted(mask for mask in found if not folders.intersection(mask.target.parents))
