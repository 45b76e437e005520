"""Data that ship with a library, written as raw files and pinned by their digest.

One module each: a new one is one new file that holds an `EMBEDDED`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from competitions.errors import DigestMismatchError, RefusedError, UnknownNameError, UsageError
from competitions.io import atomic_path, sha256_file, sha256_tree
from competitions.sources.base import Raw, Request

if TYPE_CHECKING:
    from competitions.sources.embedded.base import Embedded

__all__ = ["EMBEDDED", "fetch", "refuse_others"]


def _walk() -> dict[str, Embedded]:
    found: dict[str, Embedded] = {}
    for module in pkgutil.iter_modules(__path__):
        data = getattr(importlib.import_module(f"{__name__}.{module.name}"), "EMBEDDED", None)
        if data is None:
            continue
        if data.name in found:
            raise RuntimeError(f"two modules define the embedded data {data.name!r}")
        found[data.name] = data
    return found


EMBEDDED: dict[str, Embedded] = _walk()


def refuse_others(request: Request) -> None:
    """Refuse a call that this source cannot serve.

    Raises
    ------
    UsageError
        When the task is not embedded, or `--raw` is given.
    """
    spec = request.spec
    if spec.source.kind != "embedded":
        raise UsageError(
            f"{spec.id} is not embedded: its raw files come from {spec.source.url}.",
            f"Prepare it with: mle-audit prepare -c {spec.id}",
        )
    if request.raw is not None:
        raise RefusedError("--raw goes with --source local; an embedded table needs no folder.")


def fetch(request: Request) -> Raw:
    """Write a task's embedded data as its raw files.

    Raises
    ------
    UsageError
        See `refuse_others`.
    DigestMismatchError
        When this version of the library ships other figures than the pinned ones.
    """
    refuse_others(request)
    spec = request.spec
    name = spec.source.dataset or spec.id
    if name not in EMBEDDED:
        raise UnknownNameError("embedded table", name, EMBEDDED)
    data, target = EMBEDDED[name], request.scratch / spec.raw[0].path
    with atomic_path(target) as temporary:
        data.table().to_csv(temporary, index=False, lineterminator="\n")
    for path, content in data.files() if data.files else ():
        file = request.scratch / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    found = sha256_tree(request.scratch) if data.files else sha256_file(target)
    expected = spec.source.sha256
    if found != expected:
        raise DigestMismatchError(
            target,
            expected or "pinned in the task's YAML",
            found,
            "Install the library versions of constraints.txt; the table has changed.",
        )
    return Raw(request.scratch, "embedded")
