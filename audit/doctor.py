"""What this machine can and cannot do, one row per capability, with what helps.

Probes only look: they touch no network but sockets of this machine, and leave nothing behind. One
that crashes or hangs becomes a row `unknown`, and the others go on.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from audit.probes import confinement, extras, host, places
from audit.probes.base import Around, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

__all__ = ["PROBES", "Around", "Probe", "Row", "diagnose", "is_able", "this_machine"]

PATIENCE_S = 45.0  # longer than any timeout inside a probe; a dead network disk answers never


@dataclass(frozen=True)
class Probe:
    """One question to the machine.

    Parameters
    ----------
    is_needed : bool
        Whether agents cannot be run and graded without it.
    """

    capability: str
    look: Callable[[Around], Row]
    is_needed: bool = False


PROBES: tuple[Probe, ...] = (
    Probe("sandbox", confinement.sandbox, is_needed=True),
    Probe("user namespaces", confinement.user_namespaces),
    Probe("system call filter", confinement.call_filter),
    Probe("scratch sizes", confinement.scratch_sizes),
    Probe("memory limit", confinement.memory_limit),
    Probe("process limit", confinement.process_limit),
    Probe("disk limit", places.disk_limit),
    Probe("data folder", places.data_folder, is_needed=True),
    Probe("run folder", places.run_folder, is_needed=True),
    Probe("cache folder", places.cache_folder, is_needed=True),
    Probe("temporary folder", places.temporary_folder, is_needed=True),
    Probe("python", host.python),
    Probe("library versions", host.library_versions),
    Probe("engines", host.engines),
    Probe("encoding", host.encoding),
    Probe("clock", host.clock),
    Probe("kaggle", extras.kaggle),
    Probe("models", extras.models),
    Probe("gpu", extras.gpu),
    Probe("docker", extras.docker),
)


def this_machine(data_dir: Path, run_dir: Path, cache_dir: Path, now: datetime) -> Around:
    """Describe where and when mle-audit runs, as its probes need it."""
    return Around(
        data_dir=data_dir,
        run_dir=run_dir,
        cache_dir=cache_dir,
        now=now,
        environment=_environment(),
        home=Path.home(),
        is_root=os.geteuid() == 0,
    )


def _environment() -> Mapping[str, str]:
    return dict(os.environ)


def diagnose(
    around: Around, probes: Iterable[Probe] = PROBES, patience_s: float = PATIENCE_S
) -> tuple[Row, ...]:
    """Ask every probe and return its row, in the order of the probes.

    Parameters
    ----------
    patience_s : float
        Seconds after which a probe counts as hung.

    Returns
    -------
    tuple of Row
        One for each probe; `unknown`, with the reason, where it crashed or hung.
    """
    return tuple(_asked(probe, around, patience_s) for probe in probes)


def is_able(rows: Iterable[Row]) -> bool:
    """Say whether agents can be run here: nothing that this needs is missing or unknown."""
    return all(row.status in {"ok", "limited"} for row in rows if row.is_needed)


def _asked(probe: Probe, around: Around, patience_s: float) -> Row:
    answers: list[Row] = []

    def ask() -> None:
        try:
            answers.append(probe.look(around))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a row, and the rest goes on
            told = " ".join(f"{type(error).__name__}: {error}".split())
            answers.append(Row("unknown", f"this could not be found out: {told}"))

    # A daemon: what hangs in the kernel must not keep the command from ending.
    worker = threading.Thread(target=ask, name=f"doctor-{probe.capability}", daemon=True)
    worker.start()
    worker.join(patience_s)
    hung = Row("unknown", f"this could not be found out: no answer within {patience_s:g} s")
    row = answers[0] if answers else hung
    return replace(row, capability=probe.capability, is_needed=probe.is_needed)
