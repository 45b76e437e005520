"""Attempts in question put together: the seeds of one agent on one task are read side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.overview import Audited


def by_task(attempts: Iterable[Audited]) -> list[list[Audited]]:
    """Put the attempts of one agent on one task together, in the order of the first of each."""
    found: dict[object, list[Audited]] = {}
    for a in attempts:
        found.setdefault(_whose(a), []).append(a)
    return list(found.values())


def alike(attempts: Iterable[Audited]) -> list[list[Audited]]:
    """Put attempts together that differ by nothing but seed, score and place of the proof.

    They are of one agent on one task, have one verdict, and the messages of their findings, or
    the policy's sentences where there is none, are equal.
    """
    found: dict[object, list[Audited]] = {}
    for a in attempts:
        because = a.verdict.because if a.verdict and not a.findings else ()
        key = (_whose(a), a.conclusion, tuple(f.message for f in a.findings), because)
        found.setdefault(key, []).append(a)
    return list(found.values())


def _whose(audited: Audited) -> tuple[str, tuple[str, str]]:
    return audited.agent, audited.task
