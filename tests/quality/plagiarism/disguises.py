"""Disguised copies of notebooks and scripts: each kind is one seeded function, named.

A copy is made of the text of one source; the partial kinds put a part of it into another text of
the same task, its host. Kinds that are ``held_out`` take no part in tuning a detector. What does
not parse is not disguised, except for the kind that writes Python 2 as Python 3 (and back).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.quality.plagiarism import (
    embed,
    flow,
    naming,
    order,
    python2,
    rephrase,
    rewrite,
    structure,
    surface,
)
from tests.quality.plagiarism.code import n_lines, parses

if TYPE_CHECKING:
    from collections.abc import Callable

    Transform = Callable[[str, Random], str]


MIN_PART = 8  # lines of a part below which nobody could say where they are from


@dataclass(frozen=True)
class Kind:
    """One kind of disguise.

    Parameters
    ----------
    make : callable
        Text of the source and a seeded generator to text of the copy. A kind with a `share` puts
        that share of the source into a host first cut and then disguised by `make`.
    share : float or None
        Of the source's lines, what goes into the host; None copies the whole.
    keeps_meaning : bool
        The copy does what the source does.
    held_out : bool
        Never used for tuning.
    """

    name: str
    make: Transform
    share: float | None = None
    keeps_meaning: bool = False
    held_out: bool = False


def identical(text: str, rng: Random) -> str:
    """Change nothing."""
    return text


def in_turn(*transforms: Transform) -> Transform:
    """Return the transform that makes several, one after the other."""

    def make(text: str, rng: Random) -> str:
        for transform in transforms:
            text = transform(text, rng)
        return text

    return make


light = in_turn(surface.comments_stripped, naming.renamed, surface.literals)
medium = in_turn(
    surface.comments_stripped,
    naming.renamed,
    surface.literals,
    order.statements_reordered,
    surface.reformatted,
)
heavy = in_turn(
    surface.comments_stripped,
    structure.inlined,
    flow.control_flow,
    order.statements_reordered,
    naming.renamed,
    surface.literals,
    surface.reformatted,
    order.dead_code,
)
"""Eight transforms."""

KINDS = (
    Kind("identical", identical, keeps_meaning=True),
    Kind("comments-stripped", surface.comments_stripped, keeps_meaning=True),
    Kind("reformatted", surface.reformatted, keeps_meaning=True),
    Kind("renamed", naming.renamed, keeps_meaning=True),
    Kind("literals", surface.literals),
    Kind("library-swap", surface.library_swap),
    Kind("cells-shuffled", order.cells_shuffled),
    Kind("statements-reordered", order.statements_reordered, keeps_meaning=True),
    Kind("dead-code-35", order.dead_code, keeps_meaning=True, held_out=True),
    Kind("inlined", structure.inlined, keeps_meaning=True),
    Kind("extracted", structure.extracted, keeps_meaning=True, held_out=True),
    Kind("control-flow", flow.control_flow, keeps_meaning=True, held_out=True),
    Kind("rephrased", rephrase.rephrased, keeps_meaning=True, held_out=True),
    Kind("three-transforms", light),
    Kind("five-transforms", medium),
    Kind("eight-transforms", heavy, held_out=True),
    Kind("partial-60", identical, share=0.6),
    Kind("partial-40", identical, share=0.4),
    Kind("partial-20", identical, share=0.2),
    Kind("partial-20-renamed-literals", in_turn(naming.renamed, surface.literals), share=0.2),
    Kind("partial-40-medium", medium, share=0.4, held_out=True),
    Kind("other-form", embed.other_form, keeps_meaning=True),
    Kind("other-python", python2.other_python, held_out=True),
    Kind("rewritten", rewrite.rewritten, keeps_meaning=True, held_out=True),
)
BY_NAME = {kind.name: kind for kind in KINDS}


def rng_of(seed: int, *parts: str) -> Random:
    """Return the generator that belongs to a source and a kind, whatever else is made."""
    digest = hashlib.sha256("\0".join((str(seed), *parts)).encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))  # noqa: S311 - repeatable, not secret


def disguise(kind: Kind, name: str, text: str, *, seed: int, host: str | None = None) -> str | None:
    """Make one copy.

    Returns
    -------
    str or None
        None when the source (or the copy) does not parse, when the kind has nothing to change, or
        when the part to be copied would be shorter than `MIN_PART` lines.

    Raises
    ------
    ValueError
        The kind is a partial one and there is no host.
    """
    try:
        return _disguised(kind, text, rng_of(seed, kind.name, name), host)
    except RecursionError:  # expressions a hundred operators deep cannot be copied
        return None


def _disguised(kind: Kind, text: str, rng: Random, host: str | None) -> str | None:
    if kind.make is python2.other_python:
        copy = kind.make(text, rng)
        return copy if copy != text and (parses(text) or parses(copy)) else None
    if not parses(text):
        return None
    if kind.share is None:
        copy = kind.make(text, rng)
    else:
        if host is None:
            raise ValueError(f"{kind.name} needs a host to be put into, and none was given")
        part = "\n\n".join(embed.part_of(text, kind.share, rng)) + "\n"
        if n_lines(part) < MIN_PART or not parses(part):
            return None
        copy = embed.embedded(order.blocks(kind.make(part, rng)), host, rng)
    unchanged = copy == text and kind.make is not identical
    return None if unchanged or not parses(copy) else copy
