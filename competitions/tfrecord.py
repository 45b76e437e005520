"""TFRecord files: records framed by lengths and checksums, each an Example of named features.

What is needed of the format without TensorFlow: to read the bytes of a feature, to leave features
out, and to write small files. Checksums of records are written and not compared, those of lengths
are compared, too.

References
----------
https://www.tensorflow.org/tutorials/load_data/tfrecord
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from pathlib import Path

_VARINT, _LENGTH_DELIMITED = 0, 2  # wire types
_FIXED_SIZES = {1: 8, 5: 4}
_POLYNOMIAL, _DELTA = 0x82F63B78, 0xA282EAD8  # CRC-32C, masked as TensorFlow does
_HEADER, _CHECKSUM = 12, 4  # bytes


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _table()


def crc32c(content: bytes) -> int:
    """Return the CRC-32C checksum (Castagnoli).

    References
    ----------
    https://www.rfc-editor.org/rfc/rfc3720#appendix-B.4

    Examples
    --------
    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in content:
        crc = (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _masked(content: bytes) -> bytes:
    crc = crc32c(content)
    return ((((crc >> 15) | (crc << 17)) + _DELTA) & 0xFFFFFFFF).to_bytes(4, "little")


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - seven bits a byte
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(content)) + content


def example_of(features: Mapping[str, bytes | int]) -> bytes:
    """Write a ``tf.train.Example`` of features that are bytes or a whole number."""
    entries = b""
    for name, value in features.items():
        if isinstance(value, bytes):
            feature = _field(1, _field(1, value))
        else:
            feature = _field(3, _field(1, _varint(value)))
        entries += _field(1, _field(1, name.encode()) + _field(2, feature))
    return _field(1, entries)


def framed(record: bytes) -> bytes:
    """Frame a record: its length, the length's checksum, the record, the record's checksum."""
    length = len(record).to_bytes(8, "little")
    return length + _masked(length) + record + _masked(record)


def _read_varint(content: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = content[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:  # noqa: PLR2004 - the last byte has no high bit
            return number, at


def fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of each field of a protocol buffer message that holds bytes."""
    at = 0
    while at < len(content):
        tag, at = _read_varint(content, at)
        wire = tag & 7
        if wire == _VARINT:
            _, at = _read_varint(content, at)
        elif wire == _LENGTH_DELIMITED:
            length, at = _read_varint(content, at)
            if at + length > len(content):
                raise ValueError("a field is longer than its message")
            yield tag >> 3, content[at : at + length]
            at += length
        elif wire in _FIXED_SIZES:
            at += _FIXED_SIZES[wire]
        else:
            raise ValueError(f"wire type {wire} is unknown")


def feature(record: bytes, name: str) -> bytes | None:
    """Return the first value of a feature of bytes, or None where the record lacks it."""
    for _, features in fields(record):
        for _, entry in fields(features):
            parts = dict(fields(entry))
            if parts.get(1) == name.encode():
                values = dict(fields(parts.get(2, b""))).get(1, b"")
                return next((value for _, value in fields(values)), None)
    return None


def keeping(record: bytes, names: Container[str]) -> bytes:
    """Return a ``tf.train.Example`` with these features alone, each as it was."""
    kept = b"".join(
        _field(1, entry)
        for _, features in fields(record)
        for _, entry in fields(features)
        if dict(fields(entry)).get(1, b"").decode() in names
    )
    return _field(1, kept)


def records(shard: Path) -> Iterator[bytes]:
    """Yield the records of a shard, one in memory at a time.

    Raises
    ------
    RawDataError
        When the shard ends within a record, or a length does not agree with its checksum.
    """
    with shard.open("rb") as stream:
        while header := stream.read(_HEADER):
            length = int.from_bytes(header[:8], "little")
            if len(header) != _HEADER or _masked(header[:8]) != header[8:]:
                raise RawDataError(f"{shard} is no whole TFRecord file.")
            record, checksum = stream.read(length), stream.read(_CHECKSUM)
            if len(record) != length or len(checksum) != _CHECKSUM:
                raise RawDataError(f"{shard} ends within a record.")
            yield record
