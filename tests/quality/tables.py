"""Score `exact-row-overlap` over the tables that ship with scikit-learn and statsmodels.

Honest random splits of a real table are the negatives: whatever rows they share was there before,
in a table of few values or as a natural repetition. The positives are the same splits with one row
of the train part copied into the test part. Tables of fewer than four columns are left out: one
equal row in them proves nothing, and the detector says so.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

import numpy as np

from audit.check import check
from competitions.spec import load
from detectors.leakage.exact_row_overlap import ExactRowOverlap
from detectors.task import Task
from reports.schema import Outcome
from tests.quality.score import Score

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

DETECTOR = "exact-row-overlap"
SPLITS = 4
MIN_COLUMNS = 4
_SKLEARN = ("breast_cancer", "diabetes", "digits", "iris", "wine")


def bundled_tables() -> dict[str, pd.DataFrame]:
    """Return the features of every bundled table of at least four columns, by name."""
    import pandas as pd
    import sklearn.datasets
    import statsmodels.datasets

    tables = {n: getattr(sklearn.datasets, f"load_{n}")(as_frame=True).data for n in _SKLEARN}
    for module in pkgutil.iter_modules(statsmodels.datasets.__path__):
        if module.ispkg:
            data = importlib.import_module(f"statsmodels.datasets.{module.name}")
            loaded = data.load_pandas() if hasattr(data, "load_pandas") else None
            exog = getattr(loaded, "exog", None)
            if isinstance(exog, pd.DataFrame):
                tables[module.name] = exog.reset_index(drop=True)
    return {n: t for n, t in sorted(tables.items()) if t.shape[1] >= MIN_COLUMNS}


def is_flagged(train: pd.DataFrame, test: pd.DataFrame, folder: Path) -> bool:
    """Ask the detector about one split, laid out as a prepared task."""
    (folder / "public").mkdir(parents=True, exist_ok=True)
    train.to_csv(folder / "public" / "train.csv", index=False)
    test.to_csv(folder / "public" / "test.csv", index=False)
    answer = check(ExactRowOverlap(), Task(load("breast-cancer"), folder))
    assert answer.outcome in {Outcome.CLEAN, Outcome.FLAGGED}, answer.reason
    return answer.outcome is Outcome.FLAGGED


def score_tables(folder: Path) -> Score:
    """Score honest and planted splits of every bundled table."""
    missed, accused, n = [], [], 0
    for name, table in bundled_tables().items():
        for seed in range(SPLITS):
            n += 1
            rng = np.random.default_rng(seed)
            order = rng.permutation(len(table))
            cut = max(1, len(table) // 5)
            test, train = table.iloc[order[:cut]], table.iloc[order[cut:]]
            planted = test.copy()
            planted.iloc[0] = train.iloc[int(rng.integers(len(train)))]
            if is_flagged(train, test, folder):
                accused.append(f"{name}-{seed}")
            if not is_flagged(train, planted, folder):
                missed.append(f"{name}-{seed}")
    return Score(
        half="bundled tables",
        measured="now",
        n_positive=n,
        found=n - len(missed),
        n_negative=n,
        accused=len(accused),
        missed_kinds=tuple(missed),
        accused_kinds=tuple(accused),
    )
