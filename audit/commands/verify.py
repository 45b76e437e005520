"""The verb ``verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, DataDir


def verify(  # noqa: PLR0913, PLR0917 - each is an option
    document: Annotated[Path, typer.Argument(help="An audit document, as `vet` writes it.")],
    runs: Annotated[
        list[Path] | None,
        typer.Option(help="A folder with the attempts and grading reports. Repeatable."),
    ] = None,
    data_dir: DataDir = None,
    corpus: Annotated[Path | None, typer.Option(help="The corpus it was compared with.")] = None,
    document_only: Annotated[
        bool, typer.Option("--document-only", help="Ask for nothing that it was made from.")
    ] = False,
    signature: Annotated[
        Path | None,
        typer.Option(help="Its signature. [default: DOCUMENT.sig, where signers are named]"),
    ] = None,
    allowed_signers: Annotated[
        Path | None,
        typer.Option(help="Who may sign: ssh's file of allowed signers, or minisign's public key."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare an audit document, and what it was made from, with its seal and signature.

    Ends with 0 where all is as sealed, 1 where something was changed or is missing, 3 where
    something could not be looked at because it is not here.

    Example: mle-audit verify audit.json --runs runs/
    """
    from audit import console
    from audit.seal import Places, verify_exit_code
    from audit.seal import verify as verify_document

    places = Places(tuple(runs or ()), data_dir, corpus)
    found = verify_document(
        document, places, inputs=not document_only, signature=signature, signers=allowed_signers
    )
    console.show(("what", "name", "state", "said"), found, as_json=json)
    raise typer.Exit(verify_exit_code(found))
