"""A folder of raw files that the user has placed; it is only ever read."""

from __future__ import annotations

from competitions.errors import RawDataError, UsageError
from competitions.miniature import is_miniature
from competitions.sources.base import Raw, Request


def fetch(request: Request) -> Raw:
    """Take the named folder, else ``<data-dir>/<id>/raw``, as it is.

    Raises
    ------
    UsageError
        When the task has no other source, no folder is named and none was placed.
    RawDataError
        When the folder or one of the task's raw files is not there.
    """
    spec, folder = request.spec, request.raw or request.placed
    name_it = f"mle-audit prepare -c {spec.id} --source local --raw DIR"
    if spec.source.kind == "local" and request.raw is None and not request.placed.is_dir():
        files = ", ".join(f.path for f in spec.raw)
        raise UsageError(
            f"{spec.id} takes its raw files from a folder of yours, and none was named.",
            f"Name the folder that holds {files}: {name_it}",
        )
    missing = [f.path for f in spec.raw if not (folder / f.path).is_file()]
    if missing:
        raise RawDataError(
            f"Expected {', '.join(missing)} in {folder}, found none.",
            f"Place the raw files of {spec.source.url} there, or name their folder: {name_it}",
        )
    return Raw(folder, "miniature" if is_miniature(folder) else "local")
