"""Write one task's board: ``python -m competitions.baselines ID``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.baselines import write_board
from competitions.errors import MleAuditError, RefusedError
from competitions.io import sha256_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from competitions.spec import Competition


def _refuse_to_ship(spec: Competition, source: str | None) -> None:
    """Refuse a shipped board that would replace Kaggle's or rest on synthetic data."""
    if spec.board.kind != "baselines":
        raise RefusedError(
            f"The board of {spec.id} is Kaggle's and is not replaced by baselines.",
            "Name another file: --output FILE",
        )
    if source == "miniature":
        raise RefusedError(
            f"Scores on a miniature are no board of {spec.id}.",
            "Name the real files: --raw DIR; or another file, for a trial: --output FILE",
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write one task's board; its sha256 is then pinned in the task's YAML by hand.

    Returns
    -------
    int
        The exit code; an error of ours is one sentence on stderr.
    """
    from competitions import spec
    from competitions.medals import BOARDS

    parser = argparse.ArgumentParser(
        prog="python -m competitions.baselines", description="Write a task's board of baselines."
    )
    parser.add_argument("competition")
    parser.add_argument("--source", help="embedded, miniature or local; default: the task's")
    parser.add_argument("--raw", type=Path, help="folder of raw files, for --source local")
    parser.add_argument("--output", type=Path, help="default: the shipped board")
    given = parser.parse_args(arguments)
    try:
        task = spec.load(given.competition)
        if given.output is None:
            _refuse_to_ship(task, given.source)
        target = given.output or BOARDS / f"{task.id}.csv"
        write_board(task, target, given.source, given.raw)
    except MleAuditError as error:
        sys.stderr.write(f"error[{error.code}]: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error[os]: {error}\n")
        return MleAuditError.exit_code
    sys.stdout.write(f"Written: {target}\nsha256: {sha256_file(target)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
