"""What MLE-bench's data were when they were last checked, kept outside the folder they lie in.

A folder that MLE-bench prepared is used as it is and never written to. Its digests are remembered
in the user's state folder (``$XDG_STATE_HOME/mle-audit/pins``), so that a later change is noticed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from competitions.errors import UnreadableFileError
from competitions.io import sha256_bytes, sha256_file, walk_files, write_json

if TYPE_CHECKING:
    from collections.abc import Mapping


class Pin(BaseModel):
    """The digests of one prepared folder.

    Parameters
    ----------
    folder : str
        Its absolute path.
    checksums_sha256 : str or None
        Digest of the ``checksums.yaml`` that it was compared with; None when there was none.
    files : dict
        sha256 of each file of both trees, by its path relative to the folder.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    folder: str
    checksums_sha256: str | None
    files: dict[str, str]


def tree_digests(folder: Path) -> dict[str, str]:
    """Return the sha256 of each file of ``public/`` and ``private/`` by its relative path."""
    return {
        path.relative_to(folder).as_posix(): sha256_file(path)
        for half in ("public", "private")
        for path in walk_files(folder / half)
    }


def pin_path(folder: Path, environment: Mapping[str, str] | None = None) -> Path:
    """Return where the pin of a prepared folder lies; it need not exist."""
    import platformdirs

    state = (environment or {}).get("XDG_STATE_HOME")
    root = Path(state) / "mle-audit" if state else None
    root = root or platformdirs.user_state_path("mle-audit", appauthor=False)
    return root / "pins" / f"{sha256_bytes(str(folder.resolve()).encode())[:32]}.json"


def read_pin(folder: Path) -> Pin | None:
    """Return what a prepared folder was when it was last checked, or None.

    Raises
    ------
    UnreadableFileError
        When the pin itself is broken: it must not pass for none.
    """
    path = pin_path(folder)
    try:
        return Pin.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (UnicodeDecodeError, ValidationError) as error:
        raise UnreadableFileError(
            f"{path}, the pin of {folder}, cannot be read.", f"Remove it: rm {path}"
        ) from error


def write_pin(pin: Pin) -> None:
    """Remember what a prepared folder is now."""
    write_json(pin_path(Path(pin.folder)), pin.model_dump(mode="json"))
