"""The verb ``list``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def list_(
    what: Annotated[str, typer.Argument(help="competitions, detectors, agents or findings.")],
    document: Annotated[
        Path, typer.Option("--document", "-d", help="For findings: the audit document.")
    ] = Path("audit.json"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List tasks, detectors, agents or findings.

    Example: mle-audit list competitions
    """
    from audit import console
    from audit.listing import listing

    console.show(*listing(what, document), as_json=json)
