"""The interpreter, its libraries, its words and its clock."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from audit.probes.base import Around, Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What digests of embedded data, splits and scores rest on.
WATCHED = ("babel", "numpy", "pandas", "scikit-learn", "scipy", "statsmodels")
CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"
_OLDEST = (3, 11)
_SLACK = timedelta(hours=1)  # of clocks of file servers
_SETUP = "install what was tested together: pip install -c constraints.txt . (in a checkout)"


def python(around: Around) -> Row:  # noqa: ARG001 - every probe is given it
    """Say which Python runs mle-audit."""
    said = f"Python {sys.version.split()[0]}, {sys.executable}"
    if sys.version_info < _OLDEST:
        return Row("missing", f"{said}: too old", "install Python 3.11 or newer")
    if sys.prefix == sys.base_prefix:
        return Row("limited", f"{said}, in no virtual environment", "make setup")
    return Row("ok", said)


def library_versions(around: Around) -> Row:  # noqa: ARG001 - every probe is given it
    """Compare what is installed with the tested versions, and without these with the bounds."""
    return compare_versions(installed(), pinned_in(CONSTRAINTS))


def compare_versions(found: Mapping[str, str], wanted: Mapping[str, str]) -> Row:
    """Say which libraries are not those that digests and scores were tested with."""
    absent = [name for name in WATCHED if name not in found]
    if absent:
        return Row("missing", f"not installed: {', '.join(absent)}", _SETUP)
    if not wanted:
        said = ", ".join(f"{name} {found[name]}" for name in WATCHED)
        return Row("ok", f"{said}; tested versions are named in a checkout only")
    other = [
        f"{name} {found[name]} (tested: {wanted[name]})"
        for name in WATCHED
        if name in wanted and found[name] != wanted[name]
    ]
    if other:
        said = "digests of embedded data and last digits of scores may differ"
        return Row("limited", f"{', '.join(other)}: {said}", _SETUP)
    return Row("ok", "as tested: " + ", ".join(f"{name} {found[name]}" for name in WATCHED))


def installed() -> dict[str, str]:
    """Return the versions of the watched libraries that are installed; none is imported."""
    return dict(_versions())


def _versions() -> Iterator[tuple[str, str]]:
    for name in WATCHED:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def pinned_in(path: Path) -> dict[str, str]:
    """Return the versions that were tested together; empty outside of a checkout."""
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    pins = (line.partition("==") for line in lines if not line.startswith("#"))
    return {name.strip().lower(): version.strip() for name, _, version in pins if version}


def engines(around: Around) -> Row:  # noqa: ARG001 - every probe is given it
    """Say what can hand out work, and over how many cores."""
    import multiprocessing
    from importlib.util import find_spec

    import joblib

    from audit.clusters import LIBRARY
    from audit.engine import LOCAL_ENGINES

    cores = joblib.cpu_count()
    try:
        multiprocessing.get_context("spawn").Lock()
    except OSError as error:
        said = f"worker processes cannot be started: {error}; threads and --jobs 1 work"
        return Row("limited", said, "mount a writable /dev/shm")
    here = [name for name, library in LIBRARY.items() if find_spec(library)]
    told = [f"{name} is not installed" for name in LIBRARY if name not in here]
    return Row("ok", "; ".join([f"{', '.join((*LOCAL_ENGINES, *here))} over {cores} cores", *told]))


def encoding(around: Around) -> Row:
    """Say whether file names and texts are UTF-8."""
    import locale

    found = {
        "file names": sys.getfilesystemencoding(),
        "texts": locale.getpreferredencoding(do_setlocale=False),
        "output": getattr(sys.stdout, "encoding", None) or "utf-8",
    }
    odd = [f"{what}: {name}" for what, name in found.items() if not _is_utf8(name)]
    if odd:
        said = f"not UTF-8 ({', '.join(odd)}), so names and tables may come out wrong"
        return Row("limited", said, "export LANG=C.UTF-8 PYTHONUTF8=1")
    return Row("ok", f"UTF-8 (LANG={around.environment.get('LANG', 'unset')})")


def _is_utf8(name: str) -> bool:
    return name.lower().replace("-", "").replace("_", "") == "utf8"


def clock(around: Around) -> Row:
    """Compare the clock with the newest file of this installation, which cannot be of tomorrow."""
    newest = max(p.stat().st_mtime for p in Path(__file__).parents[1].glob("*.py"))
    built = datetime.fromtimestamp(newest, UTC)
    told = f"{around.now:%Y-%m-%d %H:%M:%S %Z}"
    if around.now + _SLACK < built:
        said = (
            f"{told} is before this installation's own files of {built:%Y-%m-%d}: records would lie"
        )
        return Row("limited", said, "as root: timedatectl set-ntp true")
    return Row("ok", told)
