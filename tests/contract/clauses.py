"""The clauses of a task's YAML about files, each dropped or altered alone."""

from __future__ import annotations

import copy
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

Content = dict[str, Any]
Place = tuple[str | int, ...]
SECTIONS = (
    *("raw", "split", "renumber", "derived", "public", "private", "files", "sample_submission"),
)
# Names of files and parts, which all else hangs on, and what only describes.
_LEFT_ALONE = {"path", "on", "source", "by", "from", "to", "made", "meaning", "note"}
_FOR_MINIATURES = {"miniature", "each"}
# What would do as well when it is dropped, as a default; another value must not.
_ALTERED = {"seed", "method", "part", "fill", "first", "sep", "low", "high"}
_ALTERED |= {"test_size", "train_size", "test_size_of_miniature"}
_UNORDERED = {"drop", "drop_rows", "keep"}


class Clause(NamedTuple):
    """One thing that a YAML says; `changed` is the content of the YAML without it."""

    name: str
    changed: Content

    def is_sampled(self, task: str, one_in: int) -> bool:
        """Say whether it is one of the few that are always looked at, the same ones each time."""
        return zlib.crc32(f"{task} {self.name}".encode()) % one_in == 0


def clauses_of(content: Content) -> Iterator[Clause]:
    """Yield every clause that can be dropped or altered, by itself."""
    for place, value in _values(content):
        name = ".".join(map(str, place))
        for how, other in _others(place, value):
            yield Clause(f"{name} {how}", _with(content, place, other))


def _values(content: Content) -> Iterator[tuple[Place, Any]]:
    sample = next(f for f in content["public"] if f.get("part") == "sample")
    for section in SECTIONS:
        inner = content.get(section)
        if section == "sample_submission" and _tells(sample):
            continue
        if isinstance(inner, list):
            for number, entry in enumerate(inner):
                for place, value in _inside(entry, (section, number)):
                    if section != "raw" or place[2] == "columns" or _is_read(entry, content):
                        yield place, value
        elif inner is not None:
            yield (section,), inner
            yield from _inside(inner, (section,))


def _inside(value: Content, place: Place) -> Iterator[tuple[Place, Any]]:
    for key, inner in value.items():
        if key in _LEFT_ALONE | _FOR_MINIATURES or (key in {"part", "columns"} and _tells(value)):
            continue
        if key == "test_size" and "test_size_of_miniature" in value:
            continue
        yield (*place, key), inner
        if isinstance(inner, dict):
            yield from _inside(inner, (*place, key))


def _is_read(raw: Content, content: Content) -> bool:
    """Say whether anything comes of a raw file; others lie there for MLE-bench's own preparer."""
    split, outputs = content["split"], [*content["public"], *content["private"]]
    tables = {split["on"], split.get("test_on"), *(f.get("source") for f in outputs)}
    copied = [f["copy"] for f in outputs if "copy" in f]
    copied += [f["from"].partition("{")[0] for f in content.get("files", ())]
    return raw["path"] in tables or raw["path"].startswith(tuple(copied))


def _tells(output: Content) -> bool:
    """Say whether `part` and `columns` only tell what a file holds that comes in another way."""
    return "copy" in output or "made" in output or output.get("lost", False)


def _others(place: Place, value: Any) -> Iterator[tuple[str, object]]:
    key = str(place[-1])
    if key in _ALTERED and not isinstance(value, dict):
        yield "altered", _other(key, value)
        return
    is_check = key == "columns" and place[0] == "raw"  # none that are stated, none are checked
    if not is_check and key not in _ALTERED and place not in {("split",), ("sample_submission",)}:
        yield "dropped", None
    if not isinstance(value, list) or (is_check and len(value) == 1):
        return
    for number, entry in enumerate(value):
        yield f"without {entry}", value[:number] + value[number + 1 :]
    if len(value) > 1 and not _UNORDERED & set(place):
        yield "reversed", value[::-1]


def _other(key: str, value: Any) -> object:
    if key == "part":
        return {"train": "test", "test": "train", "sample": "test"}[value]
    if key == "method":
        return "random_rows" if value != "random_rows" else "time_tail"
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return (1 + value) / 2
    if isinstance(value, int):
        return value + 1 if key in {"seed", "first"} else 2 * value + 1
    return f"{value}x"


def _with(content: Content, place: Place, other: object) -> Content:
    """Put another value in its place; None drops it, and a packing of all that is packed so."""
    changed = copy.deepcopy(content)
    inner: Any = changed
    for step in place[:-1]:
        inner = inner[step]
    key, old = place[-1], inner[place[-1]]
    if other is not None:
        inner[key] = other
        return changed
    del inner[key]
    if key == "packed":
        for raw in changed["raw"]:
            if raw.get("packed") == old:
                del raw["packed"]
    return changed
