"""Read records that need no library: TFRecord examples, NMEA sentences, lines of text, XML leaves.

References
----------
https://www.tensorflow.org/tutorials/load_data/tfrecord
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from competitions.tfrecord import fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

MAX_RECORDS = 1_000_000
LONGEST = 200  # bytes of a value that may be an answer; pictures are longer
MAX_COLUMNS = 20  # of lines of text
_HEADER, _CHECKSUM = 12, 4
_LEAF = re.compile(r"<([\w:.-]{1,60})(?:\s[^<>]{0,500})?>([^<>]{1,200})</\1>")
_CUT = re.compile(r"[,;\t ]+")


def record_table(content: bytes) -> pd.DataFrame:
    """Return a row for each record of a TFRecord file: its short features.

    Raises
    ------
    ValueError
        When the file ends within a record.
    """
    import pandas as pd

    return pd.DataFrame([_features(r) for r in _records(content)])


def _records(content: bytes) -> Iterator[bytes]:
    at = n = 0
    while at < len(content) and n < MAX_RECORDS:
        length = int.from_bytes(content[at : at + 8], "little")
        start = at + _HEADER
        at, n = start + length + _CHECKSUM, n + 1
        if at > len(content):
            raise ValueError("it ends within a record")
        yield content[start : start + length]


def _features(record: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _, features in fields(record):
        for _, entry in fields(features):
            parts = dict(fields(entry))
            value = _value(parts.get(2, b""))
            if value is not None:
                found[parts.get(1, b"").decode("utf-8", errors="replace")] = value
    return found


def _value(feature: bytes) -> str | float | int | None:
    """Return a feature's only value; None where it has several, or a long one."""
    for kind, values in fields(feature):
        packed = [v for _, v in fields(values)]
        if len(packed) != 1:
            return None
        if kind == 1:
            is_short = len(packed[0]) <= LONGEST
            return packed[0].decode("utf-8", errors="replace") if is_short else None
        if kind == 2:  # noqa: PLR2004 - a list of floats
            return float(np.frombuffer(packed[0], "<f4")[0]) if len(packed[0]) == 4 else None  # noqa: PLR2004
        return _varint(packed[0])
    return None


def _varint(content: bytes) -> int | None:
    number, ends = 0, [n for n, byte in enumerate(content) if byte < 0x80]  # noqa: PLR2004
    if ends != [len(content) - 1]:
        return None
    for n, byte in enumerate(content):
        number |= (byte & 0x7F) << 7 * n
    return number - (1 << 64) if number >> 63 else number


def nmea_table(content: bytes) -> pd.DataFrame:
    """Return the positions of GGA and RMC sentences: time, latitude and longitude in degrees."""
    import pandas as pd

    rows = []
    for line in content.decode("ascii", errors="replace").splitlines()[:MAX_RECORDS]:
        cells = line[line.find("$") :].split(",") if "$" in line[:200] else []
        at = {"GGA": 2, "RMC": 3}.get(cells[0][3:6]) if cells else None
        if at is not None and len(cells) > at + 3:
            place = _degrees(cells[at], cells[at + 1]), _degrees(cells[at + 2], cells[at + 3])
            if None not in place:
                rows.append({"sentence": cells[0][3:6], "time": cells[1], "at": place})
    kinds = [r["sentence"] for r in rows]
    usual = "GGA" if "GGA" in kinds else "RMC"  # both tell of each position
    kept = [r for r in rows if r["sentence"] == usual]
    return pd.DataFrame(
        {
            "time": pd.to_numeric(pd.Series([r["time"] for r in kept]), errors="coerce"),
            "latitude": [r["at"][0] for r in kept],
            "longitude": [r["at"][1] for r in kept],
        }
    )


def _degrees(cell: str, side: str) -> float | None:
    """Turn degrees and minutes as ``ddmm.mmmm`` into degrees."""
    found = re.fullmatch(r"(\d{1,3})(\d\d(?:\.\d{1,12})?)", cell)
    if found is None:
        return None
    degrees = int(found[1]) + float(found[2]) / 60
    return -degrees if side in {"S", "W"} else degrees


def text_leaves(content: bytes) -> tuple[pd.DataFrame | None, dict[str, Any]]:
    """Return the lines of a text, and the table that they are where all have as many cells."""
    import pandas as pd

    text = content.decode("utf-8", errors="replace")
    lines = [line.strip()[:1000] for line in text.splitlines()[:MAX_RECORDS] if line.strip()]
    if not lines:
        return None, {}
    cut = [_CUT.split(line) for line in lines]
    width = len(cut[0])
    leaves: dict[str, Any] = {"lines": lines if len(lines) > 1 else lines[0]}
    if not 1 < width <= MAX_COLUMNS or any(len(cells) != width for cells in cut):
        return None, leaves
    names = [f"column {n + 1}" for n in range(width)]
    return pd.DataFrame(cut, columns=names), leaves


def xml_leaves(content: bytes) -> dict[str, Any]:
    """Return the texts of innermost elements by their tags; entities are not followed."""
    found: dict[str, list[str]] = {}
    for tag, text in _LEAF.findall(content.decode("utf-8", errors="replace")):
        found.setdefault(tag, []).append(text.strip())
    return {tag: texts if len(texts) > 1 else texts[0] for tag, texts in found.items()}
