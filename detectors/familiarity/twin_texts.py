"""Texts of the positive control: docstrings of libraries that are installed with mle-audit."""

from __future__ import annotations

import inspect
import random
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from competitions.io import sha256_bytes
from detectors.familiarity.texts import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

_MODULES = (
    "numpy",
    "scipy.signal",
    "scipy.special",
    "scipy.optimize",
    "scipy.ndimage",
    "scipy.interpolate",
    "scipy.linalg",
    "scipy.integrate",
    "pandas",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.metrics",
)
# A set in scipy's docstrings, which is written in another order in each process.
_SET = re.compile(r"(?<=Use of argument\(s\) ``)\{'[^}\n]*'\}")
_MIN_LINE = 12  # characters; shorter lines stand in many texts and may


@dataclass(frozen=True)
class TwinTexts:
    """What the twins are trained on, and what they are asked.

    Parameters
    ----------
    background : tuple of Text
        All twins see it once.
    members : dict of int to tuple of Text
        By the number of times that the contaminated twin sees them.
    held_out : tuple of Text
        Nobody sees them.
    """

    background: tuple[Text, ...]
    members: dict[int, tuple[Text, ...]]
    held_out: tuple[Text, ...]

    @property
    def sha256(self) -> str:
        """Digest of all texts and their parts: equal digests make equal tables."""
        parts = [self.background, *self.members.values(), self.held_out]
        return sha256_bytes("\n".join(t.sha256 for part in parts for t in part).encode())


def twin_texts(
    seed: int, n_characters: int, members: dict[int, int], n_held_out: int, n_background: int
) -> TwinTexts:
    """Draw texts of one length at random from one pool, so that only exposure tells them apart.

    Parameters
    ----------
    n_characters : int
        Of each text: length alone would separate groups otherwise.
    members : dict of int to int
        Number of texts by exposure.

    Raises
    ------
    ValueError
        When the installed libraries have too few docstrings.
    """
    pool = list(_passages(n_characters))
    wanted = sum(members.values()) + n_held_out + n_background
    if len(pool) < wanted:
        raise ValueError(f"{wanted} texts are needed, the docstrings give {len(pool)}")
    random.Random(seed).shuffle(pool)  # noqa: S311 - a draw, no secret
    texts = iter([Text(f"docstring {i}", content) for i, content in enumerate(pool)])

    def take(count: int) -> tuple[Text, ...]:
        return tuple(next(texts) for _ in range(count))

    parts = {exposure: take(count) for exposure, count in members.items()}
    return TwinTexts(members=parts, held_out=take(n_held_out), background=take(n_background))


def _passages(n_characters: int) -> Iterator[str]:
    """Cut docstrings into passages of one length; a line that stood before is left out."""
    seen: set[str] = set()
    for docstring in _docstrings():
        kept = []
        for line in docstring.splitlines():
            settled = _SET.sub(_in_order, line)
            bare = settled.strip()
            if len(bare) < _MIN_LINE or bare not in seen:
                kept.append(settled)
            seen.add(bare)
        text = "\n".join(kept)
        for start in range(0, len(text) - n_characters + 1, n_characters):
            yield text[start : start + n_characters]


def _in_order(found: re.Match[str]) -> str:
    return "{" + ", ".join(sorted(found[0][1:-1].split(", "))) + "}"


@cache
def _docstrings() -> tuple[str, ...]:
    """Return docstrings of public functions and classes once, in the order of their names.

    All modules are imported first: some rewrite docstrings of others.
    """
    seen: set[int] = set()
    found = []
    for module in [import_module(name) for name in _MODULES]:
        for name in sorted(module.__all__):
            public = getattr(module, name)
            if callable(public) and id(public) not in seen:
                seen.add(id(public))
                found.append(inspect.getdoc(public) or "")
    return tuple(found)
