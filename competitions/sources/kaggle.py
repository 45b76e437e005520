"""Raw files from Kaggle. This version has no client for it and says how to go on by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from competitions.errors import RawDataError, UsageError

if TYPE_CHECKING:
    from competitions.sources.base import Request


def fetch(request: Request) -> NoReturn:
    """Say how to place the files by hand.

    Raises
    ------
    UsageError
        When the task's files are not from Kaggle.
    RawDataError
        Else always: downloading is not part of this version.
    """
    spec = request.spec
    if spec.source.kind != "kaggle":
        raise UsageError(
            f"{spec.id} is not from Kaggle: its raw files come from {spec.source.url}.",
            f"Prepare it with: mle-audit prepare -c {spec.id}",
        )
    files = ", ".join(f.path for f in spec.raw)
    miniature = (
        f"\n  Or use synthetic data of the same form: mle-audit prepare -c {spec.id} "
        "--source miniature --data-dir DIR"
        if any(f.miniature for f in spec.raw)
        else ""
    )
    raise RawDataError(
        f"Downloading {spec.id} from Kaggle is not part of this version.",
        f"Accept the rules at {spec.source.url}, download and unpack {files}, then: "
        f"mle-audit prepare -c {spec.id} --source local --raw DIR{miniature}",
    )
