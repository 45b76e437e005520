"""A corpus for one call in which more code counts as base code; it stays as it is itself."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.corpus.build import base_hashes
from detectors.plagiarism.corpus.layout import CARD, SUBMISSIONS, read_card

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@contextmanager
def less_base(folder: Path, base: Sequence[Path]) -> Iterator[Path]:
    """Give a corpus of the same documents from which base code is left out, too.

    Parameters
    ----------
    folder : Path
        A corpus.
    base : sequence of Path
        Files, folders or zips: starter kits, templates, a scaffold's own code.

    Yields
    ------
    Path
        The folder of a corpus that lasts as long as the block: links to the files of the first,
        but for its list of base code. Without base code it is the first itself.

    Raises
    ------
    CorpusError
        When there is no corpus, it is broken, or another version wrote it.
    UsageError
        When a path of base code does not exist.
    """
    card = read_card(folder)
    if not base:
        yield folder
        return
    more = base_hashes(base)
    with tempfile.TemporaryDirectory(prefix="mle-audit-") as scratch:
        view = Path(scratch)
        generation = view / card.generation
        generation.mkdir()
        for path in (folder / card.generation).resolve().iterdir():
            (generation / path.name).symlink_to(path)
        for channel, hashes in more.items():
            target = generation / f"{channel}.base"
            held = np.fromfile(target, np.uint64)
            target.unlink()
            np.union1d(held, hashes).tofile(target)
        (view / SUBMISSIONS).symlink_to((folder / SUBMISSIONS).resolve())
        (view / CARD).write_bytes((folder / CARD).read_bytes())
        yield view
