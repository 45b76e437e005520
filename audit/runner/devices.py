"""Device files of an attempt's own, where those of the machine would be its to change.

Inside, an agent has the rights of whoever runs mle-audit. When that is root, the machine's own
``/dev/null`` belongs to it, and a ``chmod`` inside would hold for everybody. Device files that
exist for one attempt alone are harmless.
"""

from __future__ import annotations

import os
import stat
import tempfile
from functools import cache
from pathlib import Path

NAMES = ("full", "null", "random", "tty", "urandom", "zero")
MISSING = (
    "modes of the machine's device files can be changed: they belong to root, who runs this, and "
    "others cannot be made"
)


def is_needed() -> bool:
    """Say whether the machine's device files belong to whoever runs this."""
    return os.geteuid() == 0


@cache
def is_possible() -> bool:
    """Say whether device files can be made where temporary files lie; it is tried."""
    with tempfile.TemporaryDirectory(prefix="mle-audit-devices-") as folder:
        return bool(make(Path(folder)))


def make(folder: Path) -> list[Path]:
    """Make device files that are as the machine's.

    Parameters
    ----------
    folder : Path
        An empty one.

    Returns
    -------
    list of Path
        Empty where they cannot be made or used.
    """
    made = []
    try:
        for name in NAMES:
            path = folder / name
            os.mknod(path, stat.S_IFCHR | 0o666, Path("/dev", name).stat().st_rdev)
            path.chmod(0o666)  # whatever the umask
            made.append(path)
        os.close(os.open(folder / "null", os.O_RDWR))  # refused where devices do not work
    except OSError:
        return []
    return made
