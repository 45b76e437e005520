"""Disguises made of two texts, or of another kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import MARK, cells, joined, n_lines, parses
from tests.quality.plagiarism.order import blocks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_RUNS = 2


def part_of(text: str, share: float, rng: Random) -> list[str]:
    """Cut one or two runs of neighbouring blocks that hold `share` of a text's lines.

    Blocks are cells, or runs of a few top-level statements of a script.
    """
    parts = _fine_blocks(text)
    wanted = share * n_lines(text)
    n_runs = rng.randint(1, _RUNS)
    chosen: set[int] = set()
    lines = 0
    for run in range(1, n_runs + 1):
        at = rng.randrange(len(parts))
        while lines < wanted * run / n_runs and len(chosen) < len(parts):
            if at % len(parts) not in chosen:
                chosen.add(at % len(parts))
                lines += n_lines(parts[at % len(parts)])
            at += 1
    return _cut([parts[n] for n in sorted(chosen)], wanted)


def _fine_blocks(text: str) -> list[str]:
    return [one for cell in cells(text) for one in (blocks(cell) if parses(cell) else [cell])]


def _cut(parts: Sequence[str], wanted: float) -> list[str]:
    """Leave the last block out when without it the share is nearer to the wanted one."""
    total = sum(map(n_lines, parts))
    without = total - n_lines(parts[-1])
    return list(parts[:-1] if len(parts) > 1 and wanted - without < total - wanted else parts)


def embedded(parts: Sequence[str], host: str, rng: Random) -> str:
    """Put blocks between the blocks of another text, in their order."""
    room = _fine_blocks(host)
    places = sorted(rng.randint(1, len(room)) for _ in parts)
    out: list[str] = []
    for n in range(len(room) + 1):
        out += [p for p, place in zip(parts, places, strict=True) if place == n]
        out += room[n : n + 1]
    if MARK in host.splitlines():
        return joined(out)
    return "\n\n".join(out) + "\n"


def other_form(text: str, rng: Random) -> str:
    """Write a notebook as the script that exporting gives, or a script as a notebook."""
    if MARK not in text.splitlines():
        return joined(blocks(text))
    found = cells(text)
    numbered = "".join(f"\n\n# In[{n}]:\n\n\n{cell}\n" for n, cell in enumerate(found, start=1))
    return f"#!/usr/bin/env python\n# coding: utf-8\n{numbered}"
