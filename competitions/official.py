"""The official text of a task, where the user has it: from Kaggle, or a checkout of MLE-bench."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UsageError
from competitions.io import reason

if TYPE_CHECKING:
    from pathlib import Path

NAME = "description.md"
_OBFUSCATED = "description_obfuscated.md"  # MLE-bench's paraphrase without the story
_PLACES = ("mlebench/competitions/{id}/" + NAME, "{id}/" + NAME, "{id}.md", NAME)
_MAX_BYTES = 4 << 20
_REMEDY = "Name a text file, or a checkout of https://github.com/openai/mle-bench."
_POINTER = "version https://git-lfs"


def official_description(competition_id: str, given: Path) -> str:
    """Read the official description of a task.

    Parameters
    ----------
    given : Path
        The text itself, or a folder: a checkout of MLE-bench, or one with a folder per task.

    Returns
    -------
    str
        With a newline at its end.

    Raises
    ------
    UsageError
        When there is none for this task, or it is empty, too large or no UTF-8 text.
    """
    path = given
    if given.is_dir():
        places = [given / place.format(id=competition_id) for place in _PLACES]
        found = next((p for p in places if p.is_file()), None)
        if found is None:
            raise UsageError(
                f"{given}: expected a description of {competition_id}, found none.", _REMEDY
            )
        path = found
    try:
        with path.open("rb") as stream:
            content = stream.read(_MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: expected a UTF-8 text: {reason(error)}.", _REMEDY) from error
    if len(content) > _MAX_BYTES:
        raise UsageError(f"{path}: expected at most {_MAX_BYTES >> 20} MiB of text, found more.")
    if text.startswith(_POINTER):
        raise UsageError(
            f"{path} is a pointer of Git LFS, not the text itself.",
            "Fetch the text in its checkout with: git lfs pull",
        )
    if not text.strip():
        raise UsageError(f"{path}: expected a description, found an empty file.")
    return text.replace("\r\n", "\n").rstrip("\n") + "\n"


def obfuscated_description(competition_id: str, given: Path) -> str | None:
    """Read MLE-bench's paraphrase of a task, which lies beside its official text; None without.

    Raises
    ------
    UsageError
        When it is empty, too large or no UTF-8 text.
    """
    if not given.is_dir():
        return None
    places = (given / f"mlebench/competitions/{competition_id}", given / competition_id)
    found = next((p / _OBFUSCATED for p in places if (p / _OBFUSCATED).is_file()), None)
    return official_description(competition_id, found) if found is not None else None
