"""A folder of raw files that the user has placed; it is only ever read."""

from __future__ import annotations

from competitions.errors import RawDataError
from competitions.miniature import is_miniature
from competitions.sources.base import Raw, Request


def fetch(request: Request) -> Raw:
    """Take the named folder, else ``<data-dir>/<id>/raw``, as it is.

    Raises
    ------
    RawDataError
        When the folder or one of the task's raw files is not there.
    """
    folder = request.raw or request.placed
    missing = [f.path for f in request.spec.raw if not (folder / f.path).is_file()]
    if missing:
        raise RawDataError(
            f"Expected {', '.join(missing)} in {folder}, found none.",
            f"Place the raw files of {request.spec.source.url} there, or name their folder: "
            f"mle-audit prepare -c {request.spec.id} --source local --raw DIR",
        )
    return Raw(folder, "miniature" if is_miniature(folder) else "local")
