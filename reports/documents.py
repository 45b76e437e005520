"""Documents of one schema version, read back as what they say or refused in one sentence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from competitions.errors import DocumentError
from competitions.io import reason
from competitions.spec import problems_of

if TYPE_CHECKING:
    from pathlib import Path

_M = TypeVar("_M", bound=BaseModel)


def read_document(path: Path, model: type[_M], version: int, what: str, remedy: str) -> _M:
    """Read a document back.

    Parameters
    ----------
    version : int
        The schema version that it must name.
    what : str
        What it is, with its article: ``no comparison``.
    remedy : str
        How one is made.

    Raises
    ------
    DocumentError
        When the file is missing, not JSON, of another schema version, or breaks the model.
    """
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DocumentError(f"{path}: {what} can be read here: {reason(error)}.", remedy) from error
    found = content.get("schema_version") if isinstance(content, dict) else None
    if found != version:
        raise DocumentError(f"{path}: expected schema_version {version}, found {found!r}.", remedy)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise DocumentError(f"{path}: " + "; ".join(problems_of(error)[:10])) from error
