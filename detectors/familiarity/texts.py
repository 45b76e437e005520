"""Texts whose familiarity is asked: read, checked and named by digest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from competitions.errors import TextError
from competitions.io import reason, sha256_bytes

if TYPE_CHECKING:
    from pathlib import Path

MAX_CHARACTERS = 2_000_000  # about half a million tokens: twenty minutes of a small model on a CPU
_MAX_CONTROL_SHARE = 0.05  # of characters; texts have tabs and line ends, binary files everything


@dataclass(frozen=True)
class Text:
    """A text and what it is called.

    Parameters
    ----------
    name : str
        For messages and tables: an id, a path.
    content : str
        Scored as it is; nothing is stripped or normalised.

    Raises
    ------
    TextError
        When there is nothing to score, too much of it, or it is no text.
    """

    name: str
    content: str

    def __post_init__(self) -> None:
        n_characters = len(self.content)
        if not self.content.strip():
            raise TextError(self.name, "expected a text, found nothing but space")
        if n_characters > MAX_CHARACTERS:
            raise TextError(
                self.name,
                f"expected at most {MAX_CHARACTERS:,} characters, found {n_characters:,}",
                "Score a part of it, or several parts as documents of one task.",
            )
        n_control = sum(not c.isprintable() and not c.isspace() for c in self.content)
        if "\0" in self.content or n_control > _MAX_CONTROL_SHARE * n_characters:
            raise TextError(self.name, "expected a text, found binary content")

    @cached_property
    def sha256(self) -> str:
        """Digest of the text as UTF-8."""
        return sha256_bytes(self.content.encode("utf-8", "surrogatepass"))


def read_text(path: Path, name: str | None = None) -> Text:
    """Read a UTF-8 file as a text; a byte-order mark is dropped.

    Raises
    ------
    TextError
        When it cannot be read, is not UTF-8, or is not a text that can be scored.
    """
    try:
        if (
            size := path.stat().st_size
        ) > 4 * MAX_CHARACTERS:  # UTF-8 has up to four bytes a character
            raise TextError(
                str(path),
                f"expected at most {MAX_CHARACTERS:,} characters, found {size:,} bytes",
                "Score a part of it, or several parts as documents of one task.",
            )
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TextError(str(path), f"expected a UTF-8 text, found {reason(error)}") from error
    return Text(name or str(path), content)
