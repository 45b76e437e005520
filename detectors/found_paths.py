"""Paths that code finds: what a search may give, and where installed packages lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detectors.bounds import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = "/usr/lib/python3/site-packages"  # stands for wherever they are


def _pattern(path: str, *_: object) -> list[str]:
    """Return the pattern of a search: it stands for all that it finds."""
    if not isinstance(path, str):
        raise TypeError
    return [path]


def _below(path: str, pattern: str, *_: object) -> list[str]:
    return _pattern(f"{path.rstrip('/')}/{pattern}")


def file_of(module: str) -> str:
    """Return where an installed package lies: its `__file__`.

    Examples
    --------
    >>> file_of("mlebench.grade")
    '/usr/lib/python3/site-packages/mlebench/grade/__init__.py'
    """
    return f"{PACKAGES}/{module.replace('.', '/')}/__init__.py"


FOUND: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("glob.glob", "glob.iglob", "glob", "iglob"), _pattern),
    **dict.fromkeys(("site.getsitepackages", "getsitepackages"), lambda *_: [PACKAGES]),
    **dict.fromkeys(
        ("site.getusersitepackages", "sysconfig.get_path", "get_python_lib"), lambda *_: PACKAGES
    ),
    "os.listdir": lambda *_: [UNKNOWN],
    "os.walk": lambda path, *_: [[path, [UNKNOWN], [UNKNOWN]]],
    **dict.fromkeys(
        ("importlib.util.find_spec", "util.find_spec", "find_spec"),
        lambda module, *_: {
            "origin": file_of(module),
            "submodule_search_locations": [file_of(module).rpartition("/")[0]],
        },
    ),
}
FOUND_BY_METHOD: dict[str, Callable[..., Any]] = {
    "glob": _below,
    "rglob": lambda path, pattern, *_: _below(path, f"**/{pattern}"),
    "iterdir": lambda path: _below(path, "*"),
}
