"""Folders in Kaggle's form, as a user would have them, for tests to make and to break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # noqa: TID253

if TYPE_CHECKING:
    from pathlib import Path

SQUARES = '''"""A metric as Kaggle's notebooks have it."""
import pandas as pd


class ParticipantVisibleError(Exception):
    pass


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """Mean squared error.

    >>> 1
    """
    del solution[row_id_column_name]
    del submission[row_id_column_name]
    if (submission < 0).any(axis=None):
        raise ParticipantVisibleError("a prediction is below zero")
    assert list(solution.columns) == list(submission.columns), solution.columns
    return float(((solution - submission) ** 2).mean(axis=None))
'''


def kaggle_folder(folder: Path, key: str = "id", target: str = "target") -> Path:
    """Write 120 rows to learn from and 60 to predict; a third of those is public."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({key: range(180), "x": rng.normal(size=180).round(3)})
    rows[target] = (rows["x"] + rng.normal(size=180) > 0).astype(int)
    test = rows[120:]
    folder.mkdir(parents=True)
    rows[:120].to_csv(folder / "train.csv", index=False)
    test.drop(columns=target).to_csv(folder / "test.csv", index=False)
    solution = test[[key, target]].assign(Usage=["Public", "Private", "Private"] * 20)
    solution.to_csv(folder / "solution.csv", index=False)
    test[[key]].assign(**{target: 0.5}).to_csv(folder / "sample_submission.csv", index=False)
    return folder


def edit(path: Path, change) -> None:
    """Read a table, change it and write it back."""
    change(pd.read_csv(path)).to_csv(path, index=False)
