"""Tables that ship with scikit-learn and statsmodels, split honestly: nothing above a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from audit.check import check
from detectors.base import all_detectors, family_of
from detectors.dataset import Dataset
from reports.schema import Severity, SubjectKind

if TYPE_CHECKING:
    import pandas as pd

pytestmark = pytest.mark.slow

# The column by which rows belong together; rows of tables without one are independent.
ENTITIES = {"modechoice": "individual", "grunfeld": "firm"}
# The column that orders rows where they follow one another: the last fifth is held out.
ORDERED = {
    "co2": None,
    "copper": "TIME",
    "danish_data": None,
    "elnino": "YEAR",
    "interest_inflation": None,
    "longley": "YEAR",
    "macrodata": None,
    "nile": "year",
    "sunspots": "YEAR",
}
TARGETS = {
    "china_smoking": "smoking_yes_cancer_yes",
    "co2": "co2",
    "danish_data": "lrm",
    "elnino": "DEC",
    "fertility": "2011",
    "interest_inflation": "Dp",
    "macrodata": "infl",
    "star98": "NABOVE",
    "modechoice": "choice",
    "anes96": "PID",
}
SCIKIT_LEARN = ("iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud")
STATSMODELS = (
    *("anes96", "cancer", "ccard", "china_smoking", "co2", "committee", "copper", "cpunish"),
    *("danish_data", "elnino", "engel", "fair", "fertility", "grunfeld", "heart"),
    *("interest_inflation", "longley", "macrodata", "modechoice", "nile", "randhie", "scotland"),
    *("spector", "stackloss", "star98", "statecrime", "strikes", "sunspots"),
)


class Whole(NamedTuple):
    """A table before it is split."""

    name: str
    frame: pd.DataFrame
    target: str


def of_scikit_learn(name: str) -> Whole:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    frame = bunch.frame
    target = "target" if "target" in frame.columns else bunch.target_names[0]
    return Whole(name, frame, target)


def of_statsmodels(name: str) -> Whole:
    import statsmodels.api as sm

    loaded = getattr(sm.datasets, name).load_pandas()
    target = TARGETS.get(name) or str(loaded.endog_name)
    frame = loaded.data
    is_dated = frame.index.inferred_type.startswith("datetime")
    return Whole(
        name, frame.reset_index(names="date" if is_dated else None, drop=not is_dated), target
    )


def split_honestly(table: Whole, seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return four fifths and one fifth: by whom rows are about, by time, or at random."""
    frame = table.frame
    rng = np.random.default_rng(seed)
    if table.name in ORDERED:
        cut = len(frame) * 4 // 5
        return frame.iloc[:cut], frame.iloc[cut:]
    whom = frame[ENTITIES[table.name]] if table.name in ENTITIES else np.arange(len(frame))
    names = np.unique(whom)
    held_out = np.isin(whom, rng.permutation(names)[: max(1, len(names) // 5)])
    order = rng.permutation(len(frame))
    return frame.iloc[order[~held_out[order]]], frame.iloc[order[held_out[order]]]


def as_data(table: Whole, folder) -> Dataset:
    """Write both parts as two tables, the test part without its answers, in public and private."""
    train, test = split_honestly(table)
    public, private = folder / "public", folder / "private"
    public.mkdir(parents=True)
    private.mkdir()
    test = test.reset_index(drop=True)
    test.insert(0, "row_id", np.arange(len(test)))
    train.to_csv(public / "train.csv", index=False)
    test.drop(columns=table.target).to_csv(public / "test.csv", index=False)
    test[["row_id", table.target]].to_csv(private / "answers.csv", index=False)
    test[["row_id"]].assign(**{table.target: 0}).to_csv(
        public / "sample_submission.csv", index=False
    )
    return Dataset.of_folders(public, private)


@pytest.mark.parametrize(
    ("load", "name"),
    [
        *(pytest.param(of_scikit_learn, n, id=n) for n in SCIKIT_LEARN),
        *(pytest.param(of_statsmodels, n, id=n) for n in STATSMODELS),
    ],
)
def test_an_honest_split_of_a_known_table_gives_nothing_above_a_note(tmp_path, load, name):
    data = as_data(load(name), tmp_path / name)
    asked = [
        one()
        for one in all_detectors().values()
        if family_of(one) == "leakage" and one.about.subject is SubjectKind.TASK
    ]

    checks = [check(one, data) for one in asked]

    said = [(c.detector, f.severity.value, f.message) for c in checks for f in c.findings]
    assert [s for s in said if s[1] != Severity.NOTE.value] == []
    assert [(c.detector, c.reason) for c in checks if c.outcome.value == "failed"] == []
