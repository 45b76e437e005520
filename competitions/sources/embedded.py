"""Tables that ship with a library, written as one raw CSV each and pinned by its digest.

Both tables come in an order that gives the answers away (the first breast-cancer rows are mostly
malignant; the travellers are sorted by what they chose). Rows are therefore shuffled and persons
renumbered with a fixed seed before ids are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import DigestMismatchError, RefusedError, UnknownNameError, UsageError
from competitions.io import atomic_path, sha256_file
from competitions.sources.base import Raw, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

_SEED = 20240601


def _shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    """Shuffle rows with the fixed seed and number them in a first column `id`."""
    import numpy as np

    order = np.random.RandomState(_SEED).permutation(len(frame))
    shuffled = frame.iloc[order].reset_index(drop=True)
    shuffled.insert(0, "id", range(len(shuffled)))
    return shuffled


def breast_cancer() -> pd.DataFrame:
    """Build the Wisconsin diagnostic table: 569 rows, 30 measurements, `malignant` 0 or 1.

    References
    ----------
    Wolberg et al. (1993), Breast Cancer Wisconsin (Diagnostic). https://doi.org/10.24432/C5DW2B
    """
    from sklearn.datasets import load_breast_cancer

    frame = load_breast_cancer(as_frame=True).frame
    frame = frame.rename(columns=lambda name: name.replace(" ", "_"))
    frame["malignant"] = 1 - frame.pop("target")  # scikit-learn codes malignant as 0
    return _shuffled(frame)


def modechoice() -> pd.DataFrame:
    """Build the travel-mode table: 840 rows, four per person, `choice` 1 for the mode taken.

    References
    ----------
    Greene (2011), Econometric Analysis, table F18-2.
    https://www.statsmodels.org/stable/datasets/generated/modechoice.html
    """
    import numpy as np
    from statsmodels.datasets import modechoice as source

    frame = source.load_pandas().data.astype(int)
    persons = frame["individual"].nunique()
    renumbered = np.random.RandomState(_SEED).permutation(persons) + 1
    frame["individual"] = renumbered[frame["individual"].to_numpy() - 1]
    return _shuffled(frame)


TABLES: dict[str, Callable[[], pd.DataFrame]] = {
    "breast-cancer": breast_cancer,
    "modechoice": modechoice,
}


def fetch(request: Request) -> Raw:
    """Write a task's embedded table as its raw CSV.

    Raises
    ------
    DigestMismatchError
        When this version of the library ships other figures than the pinned ones.
    """
    spec = request.spec
    if spec.source.kind != "embedded":
        raise UsageError(f"{spec.id} is not embedded: its raw files come from {spec.source.url}.")
    if request.raw is not None:
        raise RefusedError("--raw goes with --source local; an embedded table needs no folder.")
    name = spec.source.dataset or spec.id
    if name not in TABLES:
        raise UnknownNameError("embedded table", name, TABLES)
    target = request.scratch / spec.raw[0].path
    with atomic_path(target) as temporary:
        TABLES[name]().to_csv(temporary, index=False, lineterminator="\n")
    found, expected = sha256_file(target), spec.source.sha256
    if found != expected:
        raise DigestMismatchError(
            target,
            expected or "pinned in the task's YAML",
            found,
            "Install the library versions of constraints.txt; the table has changed.",
        )
    return Raw(request.scratch, "embedded")
