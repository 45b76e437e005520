"""Carbon dioxide in the air of Mauna Loa, week by week; the series of statsmodels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded

if TYPE_CHECKING:
    import pandas as pd


def table() -> pd.DataFrame:
    """Build the series: `id`, `date` and `co2`, in the order of time, weeks without value left out.

    References
    ----------
    Keeling and Whorf (2004), Atmospheric CO2 concentrations derived from flask air samples at sites
    in the SIO network. https://www.statsmodels.org/stable/datasets/generated/co2.html
    """
    from statsmodels.datasets import co2 as source

    frame: pd.DataFrame = source.load_pandas().data
    frame = frame.dropna().rename_axis("date").reset_index()
    frame["date"] = frame["date"].dt.strftime("%Y-%m-%d")
    frame.insert(0, "id", range(len(frame)))
    return frame


EMBEDDED = Embedded("co2-weekly", table)
