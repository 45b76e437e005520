"""What a probe is given and what it says."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

Status = Literal["ok", "limited", "missing", "unknown"]
_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Row:
    """What is known of one capability.

    Parameters
    ----------
    status : {"ok", "limited", "missing", "unknown"}
        ``limited``: there, but with a drawback that is told.
    means : str
        What was found and what follows from it; never a secret.
    remedy : str or None
        What helps, usually a command.
    capability : str
        Its name; whoever asks the probe fills it in.
    is_needed : bool
        Whether agents cannot be run and graded without it.
    """

    status: Status
    means: str
    remedy: str | None = None
    capability: str = ""
    is_needed: bool = False


@dataclass(frozen=True)
class Around:
    """Where and when mle-audit runs: all that a probe may look at.

    Parameters
    ----------
    environment : mapping
        Environment variables; programs are looked for on its ``PATH``.
    proc, sockets : Path
        Where the kernel tells of itself, and where services of this machine listen.
    """

    data_dir: Path
    run_dir: Path
    cache_dir: Path
    now: datetime
    environment: Mapping[str, str]
    home: Path
    is_root: bool
    proc: Path = Path("/proc")
    sockets: Path = Path("/var/run")

    def program(self, name: str) -> str | None:
        """Find a program; None when it is not installed."""
        return shutil.which(name, path=self.environment.get("PATH", ""))


def output_of(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Run a program for what it prints.

    Raises
    ------
    OSError, subprocess.SubprocessError
        When it cannot be run, ends with another code than 0, or takes more than 10 s.
    """
    return subprocess.run(  # noqa: S603 - fixed words
        words, check=True, capture_output=True, text=True, timeout=_TIMEOUT_S, env=environment
    ).stdout.strip()


def first_line(path: Path) -> str | None:
    """Return the first line of a file, or None when it cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return lines[0].strip() if lines else ""
