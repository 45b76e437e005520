"""Score `target-proxy` on labelled columns, beside other tools.

``python -m tests.bench.leakage_columns`` draws the tables of `tests.detectors.leakage.columns`, for
classes and for numbers, and prints how many leaking columns are found, how many clean ones are
accused, the seconds of CPU, and how many times a tool's seconds ours are. ``PEER=PYTHON`` names an
interpreter that has targetleak, ml-leakproof (with its ``data`` extra) or deepchecks; what it lacks
is left out. ``SEEDS=n`` draws n tables of each.

Every tool gets the table cut into 12,800 train and 3,200 test rows. A peer finds a column where it
names it with the meaning that the column tells the target: of targetleak and ml-leakproof every
such finding, of deepchecks a predictive power above 0.8, its own default.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.check import check
from audit.console import table
from detectors.dataset import Dataset
from detectors.leakage.target_proxy import TargetProxy
from tests.detectors.leakage.columns.labelled import columns
from tests.detectors.leakage.columns.labelled_second import second_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.schema import Check
    from tests.detectors.leakage.columns.labelled import Labelled

HEAD = ("columns", "target", "tool", "found", "clean accused", "s of CPU", "ratio", "missed")
KINDS = ("classification", "regression")
SETS = {"first": columns, "second": second_columns}
TRAIN_SHARE = 0.8
TIMEOUT_S = 300
PEERS = ("targetleak", "ml-leakproof", "deepchecks")
PEER_SCRIPT = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
tool, folder = sys.argv[1:]
import pandas as pd
train, test = (pd.read_csv(f"{folder}/{p}.csv") for p in ("train", "labelled_test"))
if tool == "targetleak":
    import targetleak
    start = time.process_time()
    told = {"target-proxy", "missingness-leak", "pure-categories", "suspiciously-predictive"}
    found = [f.column for f in targetleak.analyse(train, "y") if f.kind in told]
elif tool == "ml-leakproof":
    import ml_leakproof
    start = time.process_time()
    said = ml_leakproof.analyze_data(train, test, target="y").findings
    found = [f.evidence.get("feature") for f in said]
else:
    from deepchecks.tabular import Dataset
    from deepchecks.tabular.checks import FeatureLabelCorrelation
    start = time.process_time()
    value = FeatureLabelCorrelation().run(Dataset(train, label="y")).value
    found = [name for name, power in value.items() if power > 0.8]
print(json.dumps([sorted({c for c in found if c}), time.process_time() - start]))
"""


class Row(NamedTuple):
    """What one tool made of one table."""

    tool: str
    found: frozenset[str]
    cpu_s: float


def columns_of(answer: Check, labelled: Labelled) -> frozenset[str]:
    """Return the columns that the findings of a check name."""
    first = [e.name for f in answer.findings for e in f.evidence[:1] if e.kind == "quantity"]
    named = [name.rpartition(" of ")[2].split(" and ") for name in first]
    return frozenset(c for names in named for c in names if c in labelled.table.columns)


def of_ours(folder: Path, labelled: Labelled) -> Row:
    """Ask `target-proxy` about the two tables of a folder."""
    data = Dataset.of_tables(
        folder / "train.csv", folder / "test.csv", targets=("y",), key=(), entities=()
    )
    start = time.process_time()
    answer = check(TargetProxy(), data)
    return Row("mle-audit", columns_of(answer, labelled), time.process_time() - start)


def of_peer(python: str, tool: str, folder: Path) -> Row | None:
    """Ask another tool; None where it is not installed, fails or takes too long."""
    call = [python, "-c", PEER_SCRIPT, tool, str(folder)]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    found, cpu_s = json.loads(done.stdout.splitlines()[-1])
    return Row(tool, frozenset(found), cpu_s)


def rows_of(labelled: Labelled, python: str | None) -> Iterator[Row]:
    """Yield what each tool makes of one table."""
    cut = int(TRAIN_SHARE * len(labelled.table))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train, test = labelled.table.iloc[:cut], labelled.table.iloc[cut:]
        train.to_csv(folder / "train.csv", index=False)
        test.drop(columns="y").to_csv(folder / "test.csv", index=False)
        test.to_csv(folder / "labelled_test.csv", index=False)
        yield of_ours(folder, labelled)
        for tool in PEERS if python else ():
            if (row := of_peer(python or "", tool, folder)) is not None:
                yield row


def main(seeds: int = 1, python: str | None = None) -> None:
    """Print a table."""
    lines = []
    for set_name, make in SETS.items():
        for kind in KINDS:
            for seed in range(seeds):
                labelled = make(kind, seed)
                rows = list(rows_of(labelled, python))
                for row in rows:
                    missed = [k for c, k in labelled.leaking.items() if c not in row.found]
                    n_leaking, n_clean = len(labelled.leaking), len(labelled.clean)
                    lines.append(
                        (
                            f"{set_name}, seed {seed}",
                            kind,
                            row.tool,
                            f"{n_leaking - len(missed)} of {n_leaking}",
                            f"{len(row.found & set(labelled.clean))} of {n_clean}",
                            f"{row.cpu_s:.1f}",
                            f"{rows[0].cpu_s / row.cpu_s:.1f}",
                            ", ".join(missed) if len(missed) <= 3 else f"{len(missed)} columns",
                        )
                    )
    sys.stdout.write(table(HEAD, lines) + "\n")


if __name__ == "__main__":
    main(int(os.environ.get("SEEDS", "1")), os.environ.get("PEER"))
