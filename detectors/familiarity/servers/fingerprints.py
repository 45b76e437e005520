"""Models of servers told apart by what they answer, since few say which weights they have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from competitions.io import sha256_bytes, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SAME = 0.05  # nats a token: above what half types and batches change, below other weights


def weights_of(folder: Path, facts: Sequence[str], answer: Sequence[float]) -> str:
    """Return the fingerprint of a model by its answer to the self-test.

    Answers about the same tokens that differ by less than 0.05 nats on average are of the same
    weights, and get the fingerprint of the first that was seen, so that a cache goes on working
    where a server's rounding changes from call to call.

    Parameters
    ----------
    folder : Path
        Where answers are kept, a file per model.
    facts : sequence of str
        What else tells models apart: name, tokenizer, type.
    answer : sequence of float
        Log-probabilities of the self-test's tokens.
    """
    whole = np.round(np.nan_to_num(np.asarray(answer, dtype=float)), 4).tolist()
    place = folder / f"{sha256_bytes(json.dumps(list(facts)).encode())}.json"
    known = _stored(place)
    for seen in known:
        if len(seen) == len(whole) and float(np.abs(np.subtract(seen, whole)).mean()) < _SAME:
            return _digest(facts, seen)
    write_json(place, [*known, whole])
    return _digest(facts, whole)


def _digest(facts: Sequence[str], answer: list[float]) -> str:
    return sha256_bytes(json.dumps([list(facts), answer]).encode())


def _stored(place: Path) -> list[list[float]]:
    """Read answers that were kept; a file that is none counts as empty and is replaced."""
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        return [[float(value) for value in one] for one in found]
    except (OSError, ValueError, TypeError):
        return []
