"""What the columns of undescribed tables seem to be for, each guess with its reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.leakage.entity_columns import entity_columns
from detectors.leakage.event_times import event_times
from detectors.leakage.roles import key_and_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from detectors.leakage.event_times import TimeColumn

    Guess = tuple[tuple[str, ...], str]  # columns and why

NOTHING: Guess = ((), "nothing looks like it")
_LOOKED_AT = 200
_FILE = re.compile(
    r"(?i)[^\s]*\.(png|jpe?g|bmp|gif|tiff?|webp|dcm|wav|mp3|flac|ogg|aiff?|npy|txt|json|pdf|mp4)"
)


def inferred_roles(
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    asked: Mapping[str, tuple[str, ...]],
) -> dict[str, Guess]:
    """Return the columns of each role and why; empty where nothing looks like it.

    Parameters
    ----------
    train, test, sample : DataFrame or None
        The tables that there are.
    asked : mapping of str to tuple of str
        Roles that a person named: their columns are no candidates for others.
    """
    guessed = key_and_target(train, test, sample)
    key, targets = asked.get("key", guessed.key), asked.get("targets", guessed.targets)
    left = {*key, *targets, *(c for columns in asked.values() for c in columns)}
    shared = _shared(train, test, left)
    times = event_times(shared) if shared is not None else []
    media = _media(shared)
    return {
        "key": (guessed.key, _said(guessed.how["key"])),
        "targets": (guessed.targets, _said(guessed.how["targets"])),
        "entities": _entities(shared, times),
        "times": (tuple(t.column for t in times), times[0].reason) if times else NOTHING,
        "foreign_keys": NOTHING,
        "media": (media, "its values are names of files") if media else NOTHING,
    }


def _said(how: str) -> str:
    return how.removeprefix("inferred: ")


def _entities(shared: pd.DataFrame | None, times: Sequence[TimeColumn]) -> Guess:
    """Return the surest column that names what rows are about; times are no things."""
    without = [t.column for t in times]
    guesses = entity_columns(shared, without) if shared is not None else []
    alone = [g for g in guesses if g.is_sure and len(g.columns) == 1 and g.prefix_before is None]
    return (alone[0].columns, alone[0].reason) if alone else NOTHING


def _shared(
    train: pd.DataFrame | None, test: pd.DataFrame | None, left_out: set[str]
) -> pd.DataFrame | None:
    """Return the train part's columns that the test part has as well, without some."""
    if train is None or test is None:
        return None
    return train[[c for c in train.columns if c in test.columns and c not in left_out]]


def _media(shared: pd.DataFrame | None) -> tuple[str, ...]:
    if shared is None:
        return ()
    named = []
    for column in shared.columns:
        values = shared[column].dropna().head(_LOOKED_AT)
        texts = [v for v in values if isinstance(v, str)]
        if texts and len(texts) == len(values) and all(_FILE.fullmatch(t) for t in texts):
            named.append(column)
    return tuple(named)
