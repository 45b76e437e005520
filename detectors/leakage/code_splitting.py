"""What splits rows: halves, folds, and calls that cross-validate by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.leakage import code_words as words
from detectors.leakage.code_story import CrossValidation, Split
from detectors.leakage.code_values import (
    Folds,
    Index,
    Scored,
    Side,
    Splitter,
    Value,
    sided,
    spread,
    union,
)

if TYPE_CHECKING:
    from detectors.leakage.code_flow import Reader
    from detectors.leakage.code_seen import Seen


def splitter(reader: Reader, seen: Seen) -> Value | None:
    """Build what makes folds."""
    if not seen.is_of_library:
        return None
    is_grouped = bool(words.GROUPED.search(seen.name))
    reader.story.is_grouped |= is_grouped
    thing = Splitter(seen.name, seen.place, not words.ROW_SPLITTERS.match(seen.name))
    if any(v.rows for v in seen.args):  # of old: built with the rows
        note_split(reader, thing, union(seen.args))
    return Value(things=frozenset({thing}))


def note_split(reader: Reader, thing: Splitter, rows: Value) -> str:
    """Note the folds of a splitter; return what names them."""
    key = f"{thing.name}@{thing.place}"
    reader.story.splits.setdefault(
        key, Split(thing.name, key, thing.place, rows.rows, is_random=not thing.is_grouped)
    )
    return key


def folds(reader: Reader, seen: Seen) -> Value | None:
    """Give the folds of ``splitter.split(X)``."""
    splitters = seen.base.all_of(Splitter)
    if splitters:
        rows = seen.given(0, "X")
        key = next(note_split(reader, one, rows) for one in splitters)
        return Value(things=frozenset({Folds(key)}))
    rows = seen.given(0, "X")
    if rows.rows and not seen.base.rows and not seen.base.dotted.startswith("np"):
        return Value(things=frozenset({Folds(f"split@{seen.place}")}))
    return None


def halves(reader: Reader, seen: Seen) -> Value | None:
    """Split all that is given into a train and a test half, as ``train_test_split`` does."""
    if not seen.args or not seen.is_of_library:
        return None
    parts, arrays = 2, seen.args
    if seen.name == "random_split":
        arrays, parts = seen.args[:1], len(seen.given(1, "lengths").items or "01")
    key = f"{seen.name}@{seen.place}"
    has_rows = any(a.rows for a in arrays)
    reader.story.splits[key] = Split(
        seen.name,
        key,
        seen.place,
        tuple(p for a in arrays[:1] for p in a.rows),
        is_random=seen.setting("shuffle") is not False,
        of_names=not has_rows,
    )
    sides = [Side(key, str(n)) for n in range(parts)]
    return Value(items=tuple(_half(a, side) for a in arrays for side in sides))


def _half(value: Value, side: Side) -> Value:
    if value.rows:
        return sided(value, side)
    return Value(things=frozenset({Index(side)}), marks=value.marks)


def cross_validated(reader: Reader, seen: Seen) -> Value | None:
    """Train and score on folds in one call, as ``cross_val_score`` does."""
    rows, target = seen.given(1, "X"), seen.given(2, "y")
    if not seen.is_of_library or not rows.rows:
        return None
    cv = seen.given(9, "cv").all_of(Splitter)
    reader.story.is_grouped |= "groups" in seen.named
    one = CrossValidation(
        seen.name,
        seen.place,
        frozenset(rows.rows),
        spread(rows) | spread(target),
        target.column,
        is_random=not any(c.is_grouped for c in cv) and "groups" not in seen.named,
    )
    reader.story.folds[one] = None
    return Value(things=frozenset({Scored(frozenset(rows.rows))}))
