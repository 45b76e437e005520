"""Pairs of tables on disk, as subjects of detectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # noqa: TID253

from detectors.dataset import Dataset

if TYPE_CHECKING:
    from pathlib import Path


def dataset(folder: Path, train: pd.DataFrame, test: pd.DataFrame, **roles) -> Dataset:
    """Write two tables; roles as `Dataset.of_tables` takes them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in (("train", train), ("test", test)):
        table.to_csv(folder / f"{name}.csv", index=False)
    return Dataset.of_tables(folder / "train.csv", folder / "test.csv", **roles)


def measured(n: int, seed: int, n_columns: int = 8) -> pd.DataFrame:
    """Rows of fine measurements, two categories and an id."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({f"m{i}": rng.normal(10 * i, 1 + i, n) for i in range(n_columns)})
    table["ward"] = rng.choice(list("abcdefgh"), n)
    table["kind"] = rng.choice(["new", "old"], n)
    table.insert(0, "id", np.arange(n) + seed * 100_000)
    return table
