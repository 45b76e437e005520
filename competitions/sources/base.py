"""What a source is asked for and what it hands back."""

from __future__ import annotations

import re
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
    description : str or None
        The official text, handed out in the place of ours.
    show : callable or None
        Told how far a long step is: how much is done, how much there is, and of what.
    """

    spec: Competition
    scratch: Path
    placed: Path
    raw: Path | None = None
    seed: int = 0
    checksums: Path | None = None
    description: str | None = None
    show: Callable[[int, int, str], None] | None = None

    @property
    def downloads(self) -> Path:
        """``<data-dir>/<id>/.download``: an unfinished download, or one not yet prepared."""
        return self.placed.parent / ".download"


def paths_wanted(spec: Competition) -> list[str]:
    """List the raw files of a task or their archives, and the folders of those that follow rows."""
    patterns = [file.source for file in spec.files]
    patterns += [f.listing.files if f.listing else f.path for f in spec.raw if f.packed is None]
    packed = {_folder(file.path) for file in spec.raw if file.packed is not None}
    folders = [_folder(p) for p in patterns if "{" in p or "*" in p]
    files = [file.comes_as for file in spec.raw if file.comes_as is not None]
    return [*dict.fromkeys(files), *(f for f in dict.fromkeys(folders) if f and f not in packed)]


def _folder(pattern: str) -> str:
    return re.split(r"[{*]", pattern, maxsplit=1)[0].rpartition("/")[0]


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
