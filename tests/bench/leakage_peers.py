"""Row checks of deepchecks and cleanlab beside ours, on the same rows in the same run.

``python -m tests.bench.leakage_peers [ROWS]`` draws people with planted leaks (`leakage_people`),
10,000 rows of them or as many as are named, and prints what each tool finds, what it tells that was
not planted, and its CPU seconds as a multiple of ours. ``PEER=PYTHON`` names an interpreter;
``PEER_DEEPCHECKS`` and ``PEER_CLEANLAB`` name one of each tool, since the two do not get on with
the same numpy. What is not installed is left out. A tool gets what it can use: deepchecks the
declared column of persons, cleanlab the standardised numbers of both parts.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audit.check import check
from audit.console import table
from detectors.dataset import Dataset
from detectors.leakage.entity_overlap import EntityOverlap
from detectors.leakage.exact_row_overlap import find_overlap
from detectors.leakage.near_rows import near, prepared
from detectors.leakage.split import split_of
from tests.bench.leakage_people import KINDS, people
from tests.bench.leakage_rows import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from tests.bench.leakage_people import Planted

ROWS = 10_000
HEAD = ("question", "tool", "found", "wrong", "CPU s", "times ours")
TOOLS = Path(__file__).with_name("leakage_peers_tools.py")
NEAR = KINDS[:3]  # equal, jittered and with one changed value: cleanlab's question holds all
QUESTIONS = {
    "exact": "test rows that are train rows",
    "near": "test rows that are nearly train rows",
    "person": "test rows about persons of train rows, by a declared column",
}


class Answer(NamedTuple):
    """What a tool found: pairs of rows, or only how many test rows."""

    cpu_s: float
    pairs: frozenset[tuple[int, int]] | None
    n: int


def with_names(planted: Planted) -> Planted:
    """Give both tables a column that names the person."""
    for part in (planted.train, planted.test):
        part["who"] = part["name"] + " " + part["birth"] + " " + part["phone"]
    return planted


def of_ours(planted: Planted, folder: Path) -> dict[str, Answer]:
    """Ask our detectors' searches, and `entity-overlap` with the column declared."""
    train, test = (t.drop(columns=["id", "who"]) for t in (planted.train, planted.test))
    answers = {}
    near(prepared(train.head(200), test.head(100)))  # what the first call loads
    _exact(train.head(200), test.head(100))
    for what in ("exact", "near"):
        started = time.process_time()
        pairs = _exact(train, test)
        if what == "near":
            found = near(prepared(train, test))
            pairs |= set(zip(found.left.tolist(), found.right.tolist(), strict=True))
        answers[what] = Answer(time.process_time() - started, frozenset(pairs), len(pairs))
    data = Dataset.of_tables(folder / "train.csv", folder / "test.csv", entities=("who",))
    split_of(data).both()  # the others are handed tables as well
    started = time.process_time()
    told = check(EntityOverlap(), data)
    cpu_s = time.process_time() - started
    shared = [e.n_shared for f in told.findings for e in f.evidence if e.kind == "row_overlap"]
    answers["person"] = Answer(cpu_s, None, sum(shared))
    return answers


def _exact(train: pd.DataFrame, test: pd.DataFrame) -> set[tuple[int, int]]:
    found = find_overlap(train, test)
    return set(zip(found.train_rows.tolist(), found.test_rows.tolist(), strict=True))


def of_peers(folder: Path) -> dict[str, dict[str, Answer]]:
    """Ask the other tools, each in a process of its own."""
    answers: dict[str, dict[str, Answer]] = {}
    for tool in ("deepchecks", "cleanlab"):
        python = os.environ.get(f"PEER_{tool.upper()}") or os.environ.get("PEER")
        found = run([python, str(TOOLS), tool, str(folder)]) if python else {}
        for what, said in found.items():
            if what == "missing":
                continue
            pairs = frozenset((a, b) for a, b in said["pairs"]) if "pairs" in said else None
            n = len(pairs) if pairs is not None else said["n"]
            answers.setdefault(what, {})[tool] = Answer(said["cpu_s"], pairs, n)
    return answers


def judged(answer: Answer, what: str, planted: Planted, n_persons: int) -> tuple[str, str]:
    """Return what of the planted was found, by kind, and how much else was told."""
    kinds = {"exact": KINDS[:1], "near": NEAR, "person": ()}[what]
    if answer.pairs is None:
        all_ = n_persons if what == "person" else len(planted.pairs["exact"])
        return f"{min(answer.n, all_)} of {all_}", f"{max(0, answer.n - all_)}"
    known = {k: {(int(a), int(b)) for a, b in planted.pairs[k]} for k in planted.pairs}
    shares = [f"{len(answer.pairs & known[k])} of {len(known[k])} {k}" for k in kinds]
    return ", ".join(shares), f"{len(answer.pairs - set().union(*known.values()))}"


def lines_of(n_rows: int, folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield a line per question and tool."""
    planted = with_names(people(n_rows, seed=1))
    for part, rows in (("train", planted.train), ("test", planted.test)):
        rows.to_csv(folder / f"{part}.csv", index=False)
    n_persons = int(np.isin(planted.test["who"], planted.train["who"]).sum())
    ours, peers = of_ours(planted, folder), of_peers(folder)
    for what, question in QUESTIONS.items():
        told = {"mle-audit": ours[what], **peers.get(what, {})}
        for tool, answer in told.items():
            times = f"{answer.cpu_s / ours[what].cpu_s:.1f}"
            found = judged(answer, what, planted, n_persons)
            yield question, tool, *found, f"{answer.cpu_s:.2f}", times


def main() -> None:
    """Print the table."""
    n_rows = int(sys.argv[1].replace("_", "")) if sys.argv[1:] else ROWS
    with tempfile.TemporaryDirectory() as name:
        sys.stdout.write(f"{n_rows:,} rows\n\n{table(HEAD, list(lines_of(n_rows, Path(name))))}\n")


if __name__ == "__main__":
    main()
