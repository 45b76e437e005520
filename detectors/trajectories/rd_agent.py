"""RD-Agent's pickles: never unpickled, only the texts that their opcodes carry are read."""

from __future__ import annotations

import pickletools
from typing import IO, TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.json_events import CODE_KEYS, COMMAND_KEYS, OUTPUT_KEYS
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head

MAX_BYTES = 256 << 20  # of one pickle that are read
MAX_AT_ONCE = 16 << 20  # of one text in it
MIN_TEXT = 20  # characters of a text under no known key that says something
_PROTOCOLS = range(2, 6)
_CODE_FILES = (".py", ".ipynb")
_SKIPPED = frozenset({"MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "FRAME", "PROTO", "MARK"})
_TOLD = {"feedback", "stdout", "term_out", "_stdout", "full_stdout", "execution"}


class _Limited:
    """A file of which no single text and no whole is read beyond measure."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def read(self, size: int) -> bytes:
        """Read, or give nothing where a pickle claims more than is read."""
        if size > MAX_AT_ONCE or self.stream.tell() + size > MAX_BYTES:
            return b""
        return self.stream.read(size)

    def readline(self) -> bytes:
        """Read one line."""
        return self.stream.readline(MAX_AT_ONCE)

    def tell(self) -> int:
        """Return the place."""
        return self.stream.tell()


def fit(head: Head) -> int:
    """Recognise a pickle by its first opcode."""
    return 3 if head.magic[:1] == b"\x80" and head.magic[1:2] in _MAGIC else 0


_MAGIC = frozenset(bytes([protocol]) for protocol in _PROTOCOLS)


def read(log: TextFile) -> Iterator[Event]:
    """Read the texts of a pickle by the texts before them, which are keys or names of files."""
    return joined([event] for event in _texts(log))


def _texts(log: TextFile) -> Iterator[Event]:
    if log.source is None:
        return
    before = ""
    try:
        with log.source.open("rb") as stream:
            limited: Any = _Limited(stream)
            for opcode, found, position in pickletools.genops(limited):
                argument: Any = found
                if isinstance(argument, bytes):
                    argument = argument.decode("utf-8", "replace")
                if isinstance(argument, str) and "GLOBAL" not in opcode.name:
                    at = At(log.name, member=f"byte {position}")
                    yield from _text(at, before, argument)
                    before = argument if len(argument) < MIN_TEXT * 5 else ""
                elif opcode.name not in _SKIPPED:
                    before = ""
    except Exception:  # noqa: BLE001 - pickletools raises whatever a broken pickle makes it
        return


def _text(at: At, key: str, text: str) -> Iterator[Event]:
    name = key.lower()
    if name in CODE_KEYS or name.endswith(_CODE_FILES):
        yield at.event(EventKind.CODE, text, target=key if "." in key else "")
    elif name.endswith(".sh") or name in COMMAND_KEYS:
        yield at.event(EventKind.COMMAND, text)
    elif name in OUTPUT_KEYS | _TOLD:
        yield at.event(EventKind.OUTPUT, text, by="tool")
    elif len(text) >= MIN_TEXT:
        yield at.event(EventKind.TEXT, text)


READER = Reader("rd-agent", "RD-Agent: pickles of its trace", fit=fit, read=read)
