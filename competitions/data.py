"""Where a task's files lie: ``<data-dir>/<id>/raw`` and ``<data-dir>/<id>/prepared[-fixed]``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from competitions.spec import Competition, Variant

ENVIRONMENT_NAME = "MLE_AUDIT_DATA"


def default_data_dir(
    environment: Mapping[str, str] | None = None, home: Path | None = None
) -> Path:
    """Return the data directory that is used when none is named.

    Parameters
    ----------
    environment : mapping or None
        Environment variables; None reads the process's own.
    home : Path or None
        Home folder; None takes the user's.

    Returns
    -------
    Path
        ``$MLE_AUDIT_DATA``; else MLE-bench's cache if there is one; else the user's cache folder.
        It need not exist.
    """
    import platformdirs

    named = (os.environ if environment is None else environment).get(ENVIRONMENT_NAME)
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError as error:  # ~nobody, of whom nobody knows a home
            raise UsageError(f"{ENVIRONMENT_NAME}={named}: {error}") from error
    mlebench = (home or Path.home()) / ".cache" / "mle-bench" / "data"
    if mlebench.is_dir():
        return mlebench
    return Path(platformdirs.user_cache_dir("mle-audit", appauthor=False)) / "data"


@dataclass(frozen=True)
class Layout:
    """Every path of one task and variant in a data directory; nothing need exist."""

    data_dir: Path
    competition_id: str
    variant: Variant = "v1"

    @property
    def root(self) -> Path:
        """The task's own folder."""
        return self.data_dir / self.competition_id

    @property
    def raw(self) -> Path:
        """Raw files, as the source hands them out."""
        return self.root / "raw"

    @property
    def prepared(self) -> Path:
        """``prepared`` (v1: MLE-bench's own tree) or ``prepared-fixed``."""
        return self.root / ("prepared" if self.variant == "v1" else "prepared-fixed")

    @property
    def public(self) -> Path:
        """What an agent may see."""
        return self.prepared / "public"

    @property
    def private(self) -> Path:
        """The answers."""
        return self.prepared / "private"

    @property
    def manifest(self) -> Path:
        """Digests of every prepared file; beside the two trees, so that these equal MLE-bench's."""
        return self.prepared / "manifest.json"

    @property
    def schema(self) -> Path:
        """What a submission must look like, without a label."""
        return self.prepared / "submission-schema.json"

    @property
    def lock(self) -> Path:
        """Held while a task is prepared, so that two processes do not meet."""
        return self.root / ".prepare.lock"


def layout_of(spec: Competition, data_dir: Path) -> Layout:
    """Return the paths of a task's variant in a data directory."""
    return Layout(data_dir, spec.id, spec.variant)
