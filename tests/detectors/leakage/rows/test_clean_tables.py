"""Tables that ship with packages, split honestly, are accused of nothing at the usual settings."""

from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.entity_overlap import EntityOverlap
from detectors.leakage.exact_row_overlap import ExactRowOverlap
from detectors.leakage.fuzzy_entity_overlap import FuzzyEntityOverlap
from detectors.leakage.near_row_overlap import NearRowOverlap
from reports.schema import Severity
from tests.detectors.leakage.rows.tables import dataset

DETECTORS = (ExactRowOverlap, NearRowOverlap, EntityOverlap, FuzzyEntityOverlap)
GROUPS = {"grunfeld": "firm", "modechoice": "individual"}  # by which these have to be split
SKLEARN = ("iris", "wine", "digits", "breast_cancer", "diabetes")


def table_of(name):
    if name in SKLEARN:
        return getattr(importlib.import_module("sklearn.datasets"), f"load_{name}")(
            as_frame=True
        ).frame
    return importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data


def honest(table, group, seed):
    rng = np.random.default_rng(seed)
    if group is None:
        is_test = rng.random(len(table)) < 0.25
    else:
        things = table[group].unique()
        is_test = table[group].isin(rng.permutation(things)[: len(things) // 4]).to_numpy()
    return table[~is_test], table[is_test]


def statsmodels_tables():
    package = importlib.import_module("statsmodels.datasets")
    return [
        m.name
        for m in pkgutil.iter_modules(package.__path__)
        if m.name not in {"utils", "tests", "template_data"}
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SKLEARN, *statsmodels_tables()])
def test_an_honest_split_is_accused_of_nothing(tmp_path, name):
    table = table_of(name).reset_index(drop=True)
    for seed in range(2):
        subject = dataset(tmp_path / str(seed), *honest(table, GROUPS.get(name), seed))
        for detector in DETECTORS:
            try:
                findings = list(detector().detect(subject))
            except EvidenceUnavailableError:  # it says that it could not look
                continue
            assert [f.message for f in findings if f.severity > Severity.NOTE] == []
