"""The seal of an audit document: digests of everything it was made from, and of itself.

The document's own digest is over its canonical JSON (RFC 8785: keys in the order of their UTF-16
units, no white space, numbers as ECMAScript writes them, UTF-8), with `seal.document` left out.
"""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from competitions.io import sha256_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
InputKind = Literal[
    "record",
    "submission",
    "code",
    "logs",
    "validation calls",
    "model calls",
    "task data",
    "corpus",
    "grading report",
    "experiments",
    "published rows",
]
_EXPONENT_FROM, _EXPONENT_BELOW = 21, -6  # where ECMAScript begins to write numbers as 1e+21, 1e-7


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SealedInput(_Record):
    """One thing that the audit was made from.

    Parameters
    ----------
    name : str
        The attempt's or task's id, the file's name, the corpus' name.
    path : str
        Where it lay; empty where that is not told.
    sha256 : str or None
        Of the file; of a folder, of the lines ``<sha256>  <relative path>`` of its files; of a
        corpus, what it calls its digest. None: it was not there.
    """

    kind: InputKind
    name: str
    path: str = ""
    sha256: str | None = None


class Seal(_Record):
    """Digests of what an audit was made from, and of its document without this one digest."""

    inputs: tuple[SealedInput, ...] = ()
    document: Sha256 | None = None


def number(value: float) -> str:
    """Write a number as ECMAScript does (ECMA-262, Number::toString).

    Integers of any size are written with all their digits, since Python reads them so.

    Examples
    --------
    >>> number(1.0), number(1e21), number(1e-7), number(-0.0), number(0.1)
    ('1', '1e+21', '1e-7', '0', '0.1')
    """
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        raise ValueError(f"Expected a finite number, found {value}.")
    if value == 0:
        return "0"
    # The shortest digits that read back as this number are those of repr.
    shortest = Decimal(repr(abs(value))).normalize().as_tuple()
    digits = "".join(map(str, shortest.digits))
    return ("-" if value < 0 else "") + _placed(digits, len(digits) + int(shortest.exponent))


def _placed(digits: str, point: int) -> str:
    """Put the point after so many digits, with an exponent where it would be far away."""
    if len(digits) <= point <= _EXPONENT_FROM:
        return digits.ljust(point, "0")
    if 0 < point <= _EXPONENT_FROM:
        return f"{digits[:point]}.{digits[point:]}"
    if _EXPONENT_BELOW < point <= 0:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"


def canonical(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a JSON value in the one form that RFC 8785 gives it.

    Examples
    --------
    >>> canonical({"b": [1.0, None], "a": "é"})
    '{"a":"é","b":[1,null]}'
    """
    match value:
        case None | bool() | str():
            return json.dumps(value, ensure_ascii=False)
        case int() | float():
            return number(value)
        case dict():
            names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
            return f"{{{','.join(f'{canonical(n)}:{canonical(value[n])}' for n in names)}}}"
        case _:
            return f"[{','.join(map(canonical, value))}]"


def digest_of(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return the sha256 of a JSON value in its canonical form."""
    return sha256_bytes(canonical(value).encode("utf-8", "surrogatepass"))


def document_digest(content: dict[str, Any]) -> str:
    """Return the digest that a document's seal holds of it; the digest itself is left out."""
    seal = content.get("seal")
    if isinstance(seal, dict):
        content = {**content, "seal": {k: v for k, v in seal.items() if k != "document"}}
    return digest_of(content)


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse a name that stands in it twice: readers would differ."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} stands twice in one object")
        found[name] = value
    return found


def read_once(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Parse JSON that every reader understands alike, and that can be written again.

    Raises
    ------
    ValueError
        When it is no JSON or nested too deeply, when a name stands twice in one object, a number is
        NaN or infinite, or a text holds half a surrogate pair.
    """
    try:
        found = json.loads(text, object_pairs_hook=_once)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply to be read") from error
    except UnicodeEncodeError as error:
        raise ValueError("a text holds half a surrogate pair") from error
    return found
