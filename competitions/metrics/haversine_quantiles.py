"""Distance on the globe: mean of the median and the 95th percentile, averaged over trips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers, require_columns

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

EARTH_RADIUS = 6_371_000.0  # metres
QUANTILES = (0.5, 0.95)


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean over trips of (median + 95th percentile) / 2 of the distances in metres.

    The targets are latitude and longitude in degrees; the first key column names the trip. Under
    ``v1`` the tables are taken as they were read: within a trip, rows are compared in the order of
    the files, and further key columns are not compared. An empty or infinite coordinate makes
    the score NaN; under ``fixed`` it is refused.

    Raises
    ------
    InvalidSubmissionError
        When a column is missing, a trip's number of rows differs, or a coordinate is text.

    Notes
    -----
    S = (1/T) · Σₜ ½·(q₅₀ + q₉₅) of d = 2R·arcsin √(sin²(Δφ/2) + cos φ₁ cos φ₂ sin²(Δλ/2)) over each
    trip's rows, R = 6,371 km; quantiles are interpolated linearly.

    References
    ----------
    Sinnott (1984), Virtues of the Haversine. https://ui.adsabs.harvard.edu/abs/1984S%26T....68R.158S

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"trip": ["a"], "lat": [0.0], "lon": [0.0]})
    >>> guess = pd.DataFrame({"trip": ["a"], "lat": [0.0], "lon": [90.0]})
    >>> round(score(truth, guess, Context(("lat", "lon"), key=("trip",))))  # a quarter of 2πR
    10007543
    """
    import numpy as np

    require_columns(submission, [*context.key, *context.targets])
    if len(answers) != len(submission):
        raise InvalidSubmissionError([f"expected {len(answers)} rows, found {len(submission)}"])
    allow = () if context.variant == "fixed" else ("missing", "infinite")
    points = numbers(submission, context, allow=allow)
    trips = submission[context.key[0]]
    names = list(context.targets)
    found = []
    for trip, rows in answers.groupby(context.key[0], sort=False):
        own = points[(trips == trip).to_numpy()]
        if len(own) != len(rows):
            said = f"{context.key[0]}: expected {len(rows)} rows of {trip}, found {len(own)}"
            raise InvalidSubmissionError([said])
        metres = _distances(rows[names].to_numpy(), own[names].to_numpy())
        found.append(np.quantile(metres, QUANTILES).mean())
    return float(np.mean(found))


def _distances(first: Floats, second: Floats) -> Floats:
    """Return the distances in metres between points of (latitude, longitude) in degrees."""
    import numpy as np

    with np.errstate(all="ignore"):
        lat1, lon1 = np.radians(first.astype(float)).T
        lat2, lon2 = np.radians(second.astype(float)).T
        half = np.sin((lat1 - lat2) / 2) ** 2
        half += np.cos(lat1) * np.cos(lat2) * np.sin((lon1 - lon2) / 2) ** 2
        metres: Floats = 2 * EARTH_RADIUS * np.arcsin(np.sqrt(half))
        return metres


METRIC = Metric(name="haversine-quantiles", direction="lower", best=0.0, score=score)
