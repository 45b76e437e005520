"""Progression of diabetes in 442 patients; the table of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded, shuffled

if TYPE_CHECKING:
    import pandas as pd

_NAMES = {"s1": "tc", "s2": "ldl", "s3": "hdl", "s4": "tch", "s5": "ltg", "s6": "glu"}


def table() -> pd.DataFrame:
    """Build the diabetes table in its own units: 442 rows, ten measurements, `progression`.

    Notes
    -----
    scikit-learn's scaled copy centres each column over *all* patients, those of a later test part
    included; the unscaled one does not.

    References
    ----------
    Efron et al. (2004), Least Angle Regression. https://doi.org/10.1214/009053604000000067
    """
    from sklearn.datasets import load_diabetes

    frame = load_diabetes(as_frame=True, scaled=False).frame
    frame = frame.rename(columns={**_NAMES, "target": "progression"})
    return shuffled(frame.astype({"age": int, "sex": int, "progression": int}))


EMBEDDED = Embedded("diabetes-progression", table)
