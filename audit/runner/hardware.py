"""The machine an attempt runs on, as its record tells it."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from detectors.record import Hardware

_CPUINFO = Path("/proc/cpuinfo")
_GPUS = Path("/proc/driver/nvidia/gpus")


@cache
def this_machine() -> Hardware:
    """Describe this machine; what cannot be read is named unknown or left out."""
    import psutil

    return Hardware(
        cpu_model=_cpu_model(),
        cpu_count=os.cpu_count() or 1,
        memory_bytes=psutil.virtual_memory().total,
        gpus=tuple(_field(path, "Model") or "unknown" for path in _gpu_files()),
    )


def _cpu_model() -> str:
    return _field(_CPUINFO, "model name") or platform.processor() or platform.machine() or "unknown"


def _gpu_files() -> list[Path]:
    return sorted(_GPUS.glob("*/information")) if _GPUS.is_dir() else []


def _field(path: Path, name: str) -> str | None:
    """Return the value of the first line ``name : value``, or None."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip() or None
    return None
