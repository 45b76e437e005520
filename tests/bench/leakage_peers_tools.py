"""What deepchecks and cleanlab find on the rows of `leakage_peers`: run by their interpreter.

``PYTHON leakage_peers_tools.py deepchecks|cleanlab FOLDER`` prints one JSON object: CPU seconds by
question, and what was found, as a number of test rows or as pairs. It imports nothing of the
project, so that a tool's environment need not hold it.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

Found = dict[str, Any]


def _tables(folder: Path) -> list[Any]:
    pd = import_module("pandas")
    as_written = {"phone": str}  # some have signs beside their digits
    return [pd.read_csv(folder / f"{part}.csv", dtype=as_written) for part in ("train", "test")]


def deepchecks(folder: Path) -> dict[str, Found]:
    """Ask its check of equal samples, and that of a declared index on both sides.

    Both say which share of the test rows it is; rows are not named.
    """
    tabular = import_module("deepchecks.tabular")
    checks = import_module("deepchecks.tabular.checks")
    train, test = _tables(folder)
    asked = {
        "exact": (checks.TrainTestSamplesMix(), {}, ["id", "who"]),
        "person": (checks.IndexTrainTestLeakage(), {"index_name": "who"}, ["id"]),
    }
    found = {}
    for what, (check, roles, left_out) in asked.items():
        started = time.process_time()
        sides = (
            tabular.Dataset(t.drop(columns=left_out), label="target", cat_features=[], **roles)
            for t in (train, test)
        )
        value = check.run(*sides).value
        share = value["ratio"] if isinstance(value, dict) else value
        found[what] = {"cpu_s": time.process_time() - started, "n": round(share * len(test))}
    return found


def cleanlab(folder: Path) -> dict[str, Found]:
    """Ask Datalab for near duplicates among all rows, by their standardised numbers."""
    np, pd = import_module("numpy"), import_module("pandas")
    lab_of = import_module("cleanlab").Datalab
    train, test = _tables(folder)
    rows = pd.concat([train, test], ignore_index=True)
    numbers = rows.select_dtypes("number").drop(columns=["id", "target"]).to_numpy()
    started = time.process_time()
    features = (numbers - numbers.mean(axis=0)) / numbers.std(axis=0)
    lab = lab_of(data={"row": list(range(len(rows)))}, verbosity=0)
    lab.find_issues(features=features, issue_types={"near_duplicate": {}})
    issues = lab.get_issues("near_duplicate")
    cpu_s = time.process_time() - started
    n_train = len(train)
    pairs = [
        [int(left), int(right) - n_train]
        for right in np.flatnonzero(issues["is_near_duplicate_issue"])
        for left in issues["near_duplicate_sets"].iloc[right]
        if left < n_train <= right
    ]
    return {"near": {"cpu_s": cpu_s, "pairs": pairs}}


def main() -> None:
    """Do what is asked and print it."""
    warnings.simplefilter("ignore")
    tool, folder = sys.argv[1], Path(sys.argv[2])
    found = {"deepchecks": deepchecks, "cleanlab": cleanlab}[tool](folder)
    sys.stdout.write("\n" + json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
