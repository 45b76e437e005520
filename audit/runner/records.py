"""An attempt's last record, which is written even where the disk is full."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from detectors.record import RECORD_NAME, AttemptRecord, write_record

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = 512  # the unit of st_blocks


def write_anyway(record: AttemptRecord, attempt: Path) -> None:
    """Write a record atomically, or else over the blocks that its former version has.

    Raises
    ------
    OSError
        When neither is possible; the former version is then as it was.
    """
    try:
        write_record(record, attempt)
    except OSError:
        content = (record.model_dump_json(indent=2) + "\n").encode()
        descriptor = os.open(attempt / RECORD_NAME, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if len(content) > os.fstat(descriptor).st_blocks * _BLOCK:
                raise
            os.pwrite(descriptor, content, 0)
            os.ftruncate(descriptor, len(content))
        finally:
            os.close(descriptor)
