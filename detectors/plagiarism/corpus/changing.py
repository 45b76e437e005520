"""A corpus is made or changed by one at a time, and what was broken off before is cleared away."""

from __future__ import annotations

import contextlib
import glob
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import CorpusError
from competitions.locks import locked
from detectors.plagiarism.corpus.layout import GENERATION, LOCK, SUBMISSIONS, Card, read_card

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def made_beside(target: Path) -> Iterator[Path]:
    """Give a new folder that becomes the target when the block ends; nothing else is left.

    What calls for the same target left beside it that were killed goes, too: nobody holds its lock.

    Raises
    ------
    CorpusError
        When nothing can be written there, or somebody else made the target meanwhile.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{target.name}.new-"
        _clear_beside(target, prefix)
        with (
            tempfile.TemporaryDirectory(
                prefix=prefix, dir=target.parent, ignore_cleanup_errors=True
            ) as scratch,
            locked(Path(scratch, LOCK), wait=False),
        ):
            built = Path(scratch, "corpus")
            built.mkdir()
            yield built
            built.rename(target)
    except OSError as error:
        raise CorpusError(f"{target}: cannot be made ({error.strerror}).") from error


def _clear_beside(target: Path, prefix: str) -> None:
    for left in target.parent.glob(f"{glob.escape(prefix)}*"):
        with contextlib.suppress(OSError), locked(left / LOCK, wait=False) as is_free:
            if is_free:
                shutil.rmtree(left, ignore_errors=True)


@contextlib.contextmanager
def changing(folder: Path) -> Iterator[Card]:
    """Hold the corpus' lock and give its card as it is under it."""
    read_card(folder)
    try:
        with locked(folder / LOCK, wait=True):
            _clear_remains(folder)
            yield read_card(folder)
    except OSError as error:
        raise CorpusError(f"{folder}: cannot be changed ({error.strerror}).") from error


def _clear_remains(folder: Path) -> None:
    """Remove what changes left behind that were killed."""
    card = read_card(folder)
    for path in folder.iterdir():
        if path.name.startswith((".new-", GENERATION)) and path.name != card.generation:
            shutil.rmtree(path, ignore_errors=True)
    for path in (folder / SUBMISSIONS).glob("*.part"):
        path.unlink(missing_ok=True)
