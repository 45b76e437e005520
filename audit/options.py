"""Options that mean the same in every verb, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_DATA = "Prepared data. [default: $MLE_AUDIT_DATA, else a cache]"

DataDir = Annotated[Path | None, typer.Option(help=_DATA)]
ExistingDataDir = Annotated[Path | None, typer.Option(exists=True, file_okay=False, help=_DATA)]
VariantName = Annotated[str, typer.Option(help="v1 (as published) or fixed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
