"""Visits of lung patients: the first one is public, the last three are graded. OSIC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import with_fill, write_table

if TYPE_CHECKING:
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.splits import Parts
    from competitions.work import Work

_PATIENT, _WEEK, _KEY = "Patient", "Weeks", "Patient_Week"
_LEAST_SIGMA = 70  # below which a confidence earns nothing
_ANY_VALUE = 2000.0  # millilitres


def weeks_of(visits: pd.DataFrame) -> pd.DataFrame:
    """Give each patient a row for each week between the first and the last visit of anybody.

    Returns
    -------
    DataFrame
        Patients in the order of their first rows, weeks ascending; the cells of weeks without a
        visit are empty.

    Raises
    ------
    RawDataError
        When a patient has two visits in one week.
    """
    import pandas as pd

    twice = visits.duplicated([_PATIENT, _WEEK])
    if twice.any():
        first = visits[twice].iloc[0]
        raise RawDataError(
            f"Expected one visit a week, found two of {first[_PATIENT]} in week {first[_WEEK]}."
        )
    weeks = range(visits[_WEEK].min(), visits[_WEEK].max() + 1)
    every = pd.MultiIndex.from_product(
        [visits[_PATIENT].unique(), weeks], names=[_PATIENT, _WEEK]
    ).to_frame(index=False)
    return every.merge(visits, on=[_PATIENT, _WEEK], how="left")


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the first visit of each test patient, and all weeks for answers and sample."""
    del work
    first = parts.test.sort_values(_WEEK).groupby(_PATIENT).first().reset_index()
    write_table(first[list(parts.test.columns)], trees.public / "test.csv")
    every = weeks_of(parts.test)
    names = every[_PATIENT].astype(str) + "_" + every[_WEEK].astype(str)
    answers = every[list(parts.test.columns)].assign(Patient_Week=names, Confidence=100)
    write_table(answers, trees.private / spec.answers)
    sample = with_fill(answers[[_KEY]], spec, parts)
    write_table(sample, trees.public / spec.sample_submission.path)


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Say the true value with the greatest confidence; in weeks without a visit it is any value."""
    values = answers["FVC"].fillna(_ANY_VALUE)
    return answers[[_KEY]].assign(FVC=values, Confidence=_LEAST_SIGMA)


HOOKS = Hooks(finish=finish, perfect=perfect)
