"""Data sets that come inside Python packages: the answers of embedded tasks lie among them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath

# Paths below site-packages. statsmodels imports the modules of its datasets, so those stay.
_DATA = (
    re.compile(r"(^|/)sklearn/datasets/(data|images|descr)(/|$)"),
    re.compile(r"(^|/)statsmodels/datasets/.*(?<!\.py)(?<!\.pyc)$"),
    re.compile(r"(^|/)(sklearn|statsmodels)/(.*/)?tests(/|$)"),
    re.compile(r"(^|/)babel/locale-data(/|$)"),  # the names of places in each language
)
_PACKAGES = frozenset({"babel", "sklearn", "statsmodels"})
_MODULE = {".py", ".pyc"}


def is_bundled_data(path: str) -> bool:
    """Say whether a file of an environment is bundled data, or a test that may hold some.

    Parameters
    ----------
    path : str
        With forward slashes, relative to any folder above the package.

    Examples
    --------
    >>> is_bundled_data("lib/python3.11/site-packages/sklearn/datasets/data/breast_cancer.csv")
    True
    >>> is_bundled_data("lib/python3.11/site-packages/statsmodels/datasets/modechoice/data.py")
    False
    """
    return any(pattern.search(path) for pattern in _DATA)


def remove_bundled_data(environment: Path) -> None:
    """Remove from an environment what pip brought along, and the folders that are empty then."""
    for package in environment.glob("lib*/python*/site-packages/*"):
        if package.name not in _PACKAGES or package.is_symlink():
            continue
        for path in sorted(package.rglob("*"), reverse=True):  # files before their folder
            inside = PurePosixPath(package.name, path.relative_to(package).as_posix())
            if not is_bundled_data(str(inside)):
                continue
            if path.is_dir() and not path.is_symlink():
                _remove_folder(path, str(inside))
            else:
                path.unlink()


def _remove_folder(path: Path, inside: str) -> None:
    """Remove a folder unless it holds modules that must stay."""
    if is_bundled_data(f"{inside}/module.py"):
        shutil.rmtree(path)
    elif not any(child.suffix in _MODULE or child.is_dir() for child in path.iterdir()):
        path.rmdir()
