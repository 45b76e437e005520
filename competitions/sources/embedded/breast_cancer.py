"""Cell nuclei of 569 lumps in the breast; the table of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded, shuffled

if TYPE_CHECKING:
    import pandas as pd


def table() -> pd.DataFrame:
    """Build the Wisconsin diagnostic table: 569 rows, 30 measurements, `malignant` 0 or 1.

    References
    ----------
    Wolberg et al. (1993), Breast Cancer Wisconsin (Diagnostic). https://doi.org/10.24432/C5DW2B
    """
    from sklearn.datasets import load_breast_cancer

    frame = load_breast_cancer(as_frame=True).frame
    frame = frame.rename(columns=lambda name: name.replace(" ", "_"))
    frame["malignant"] = 1 - frame.pop("target")  # scikit-learn codes malignant as 0
    return shuffled(frame)


EMBEDDED = Embedded("breast-cancer", table)
