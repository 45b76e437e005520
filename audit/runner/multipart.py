"""The one part of a form that a validation call is about, found without reading it into memory."""

from __future__ import annotations

import mmap
import re
from email.message import Message
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

MAX_BOUNDARY = 70  # characters, as RFC 2046 has it
MAX_PART_HEADER = 8192
_MAX_PARTS = 100  # fields of a form before the file; a form of ours has one
_BOUNDARY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


class Span(NamedTuple):
    """Where a part's content lies in a body: from `first` up to, but not with, `end`."""

    first: int
    end: int


def boundary_of(content_type: str) -> bytes | None:
    """Return what separates the parts of a ``multipart/form-data`` body, or None.

    Examples
    --------
    >>> boundary_of('multipart/form-data; boundary="a b"')
    b'a b'
    >>> boundary_of("text/csv; boundary=a") is None
    True
    """
    message = Message()
    message["Content-Type"] = content_type
    boundary = message.get_param("boundary")
    if message.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        return None
    if len(boundary) > MAX_BOUNDARY or not _BOUNDARY.fullmatch(boundary):
        return None
    return boundary.encode("ascii")


def find_part(body: Path, boundary: bytes, field: str) -> Span | None:
    """Find the part that carries a form's field; None where the body is no such form.

    Parameters
    ----------
    body : Path
        The request's body as it came.
    boundary : bytes
        As `boundary_of` gives it.
    field : str
        The field's name. The first part of this name counts; what it says of a file name does not.

    Notes
    -----
    Linear in the size of the body; see RFC 7578 and RFC 2046, section 5.1.
    """
    if body.stat().st_size == 0:
        return None
    mark = b"\r\n--" + boundary
    with body.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as text:
        # The first separator may stand at the very beginning, without a line before it.
        at = 0 if text[: len(mark) - 2] == mark[2:] else text.find(mark)
        after = at + len(mark) - (2 if at == 0 and text[:2] == b"--" else 0)
        for _ in range(_MAX_PARTS):
            if at < 0 or text[after : after + 2] != b"\r\n":
                return None
            header_end = text.find(b"\r\n\r\n", after, after + MAX_PART_HEADER)
            at = text.find(mark, after if header_end < 0 else header_end + 2)
            if header_end < 0 or at < 0:
                return None
            if _name_of(text[after + 2 : header_end + 2]) == field:
                return Span(min(header_end + 4, at), at)
            after = at + len(mark)
    return None


def _name_of(header: bytes) -> str | None:
    message = BytesHeaderParser().parsebytes(header)
    if message.get_content_disposition() != "form-data":
        return None
    name = message.get_param("name", header="content-disposition")
    return name if isinstance(name, str) else None
