"""What a source is asked for and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from competitions.spec import Competition

SourceKind = Literal["embedded", "kaggle", "local", "miniature", "mlebench"]


@dataclass(frozen=True)
class Request:
    """What a source needs to know.

    Parameters
    ----------
    scratch : Path
        An empty folder of ours; a source that makes files writes them here.
    placed : Path
        ``<data-dir>/<id>/raw``, where a user may have placed the files; only read.
    raw : Path or None
        A folder that the user names instead; only read.
    seed : int
        For sources that draw at random.
    checksums : Path or None
        A ``checksums.yaml`` of MLE-bench or a checkout of it; Kaggle's zip is compared with it.
    show : callable or None
        Told how far a long step is: how much is done, how much there is, and of what.
    """

    spec: Competition
    scratch: Path
    placed: Path
    raw: Path | None = None
    seed: int = 0
    checksums: Path | None = None
    show: Callable[[int, int, str], None] | None = None

    @property
    def downloads(self) -> Path:
        """``<data-dir>/<id>/.download``: an unfinished download, or one not yet prepared."""
        return self.placed.parent / ".download"


def paths_wanted(spec: Competition) -> list[str]:
    """List the raw files of a task, and the folders of those that follow rows."""
    fixed = (file.source.partition("{")[0].rpartition("/")[0] for file in spec.files)
    return [*(file.path for file in spec.raw), *(folder for folder in fixed if folder)]


@dataclass(frozen=True)
class Raw:
    """A folder of raw files.

    Parameters
    ----------
    kind : str
        What the files really are: a folder that holds a miniature is one, whoever names it.
    spent : Path or None
        A folder of ours that nobody needs once the task is prepared.
    """

    folder: Path
    kind: SourceKind
    spent: Path | None = None
